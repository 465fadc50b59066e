//! The person's yes to calls of a step. Calls of one step that each need one are asked about together. Never runs a call, and
//! never puts a question into words.

use std::collections::VecDeque;
use std::sync::Arc;

use super::closing::Cause;
use super::plan::Plan;
use super::resources::Resources;
use super::review::MadeUp;
use super::work::Work;
use crate::gate::{Admitted, Need};
use loquat_conversation::consent::{Consent, Request, Unsayable, particulars};
use loquat_conversation::event::Event;
use loquat_conversation::toolbox::{Confirm, Tool};

/// A call that waits for a yes.
struct Asked {
    index: usize,
    call: Admitted,
    request: Request,
}

/// A call once it is known what it means.
enum Prepared {
    /// It needs no yes, or has none who could give it.
    Free(Plan),
    /// It needs one.
    Asks(Box<Asked>),
    /// It needs one and cannot be asked about; its record is closed.
    Over,
}

impl Prepared {
    fn request(&self) -> Option<&Request> {
        match self {
            Self::Asks(asked) => Some(&asked.request),
            Self::Free(_) | Self::Over => None,
        }
    }
}

impl Asked {
    /// The call with what the person has said to it.
    fn answered(mut self, answer: Option<Consent>) -> Plan {
        self.call.consent = match answer {
            Some(Consent::Given) => Need::Given,
            Some(Consent::Refused) => Need::Denied("the person said no; it was not run"),
            Some(Consent::Unclear) => Need::Denied("the person gave no clear yes; it was not run"),
            Some(Consent::Barred) => Need::Denied(
                "it needs a yes that cannot be given here; the person was told why, and it was not run",
            ),
            None => Need::Denied("the person gave no yes to the call before it; it was not run"),
        };
        Plan {
            index: self.index,
            admitted: Ok(self.call),
        }
    }
}

/// Finds what calls mean and asks for a yes to them.
pub(super) struct Agreeing<'t> {
    pub(super) resources: &'t Resources,
    pub(super) work: &'t mut Work,
}

impl Agreeing<'_> {
    /// Asks the person where a call needs a yes. Without one the call's record is closed and only the closing answer is
    /// left, for a person does not want to be asked again in other words.
    pub(super) async fn ask(&mut self, plan: Plan) -> Option<Plan> {
        let mut alone = VecDeque::from([plan]);
        self.ask_for_first(&mut alone).await;
        alone.pop_front()
    }

    /// Asks about the first of these calls where it needs a yes, and together with it about all the others that do. It is
    /// taken out if it gets none.
    pub(super) async fn ask_for_first(&mut self, plans: &mut VecDeque<Plan>) {
        if plans.front().is_some_and(|plan| plan.denied().is_none()) {
            *plans = self.asked_together(std::mem::take(plans)).await;
        }
        if let Some(why) = plans.front().and_then(Plan::denied) {
            let index = plans.pop_front().map(|plan| plan.index);
            self.work.ledger.turn_away(index.unwrap_or_default(), why);
            self.work.closing.begin(Cause::Denied);
        }
    }

    async fn asked_together(&mut self, plans: VecDeque<Plan>) -> VecDeque<Plan> {
        let mut prepared = Vec::new();
        for plan in plans {
            let is_first = prepared.is_empty();
            let joins = plan.asks() && matches!(prepared.first(), Some(Prepared::Asks(_)));
            prepared.push(if is_first || joins {
                self.prepared(plan).await
            } else {
                Prepared::Free(plan)
            });
        }
        self.agreed(prepared).await
    }

    /// The call as it would run, and what the person is asked about it.
    async fn prepared(&mut self, plan: Plan) -> Prepared {
        let Plan { index, admitted } = plan;
        let admitted = match admitted {
            // What a person has agreed to is what runs.
            Ok(call) if matches!(call.consent, Need::Given | Need::Denied(_)) => Ok(call),
            Ok(call) => {
                let call = self.without_unsaid(index, call);
                self.resolve(index, call).await
            }
            refused => refused,
        };
        let admitted = admitted.map(|call| self.doubted(call));
        let call = match admitted {
            Ok(call) if call.consent == Need::Consent && self.resources.person.is_some() => call,
            admitted => return Prepared::Free(Plan { index, admitted }),
        };
        let request = self.request(index, &call);
        if let Err(why) = particulars(&request.tool, request.told()) {
            self.work.ledger.turn_away(index, &unsayable(&why));
            return Prepared::Over;
        }
        Prepared::Asks(Box::new(Asked { index, call, request }))
    }

    /// The call as a person is asked about it, without anything that was made up. They hear what it is that they allow.
    fn without_unsaid(&mut self, index: usize, admitted: Admitted) -> Admitted {
        let asks = admitted.consent == Need::Consent;
        let Some(spared) = asks.then(|| self.made_up().without(&admitted)).flatten() else {
            return admitted;
        };
        if let Some(record) = self.work.ledger.call(index) {
            record.arguments = Arc::clone(&spared.arguments);
        }
        spared
    }

    pub(super) fn made_up(&self) -> MadeUp<'_> {
        MadeUp {
            resources: self.resources,
            ledger: &self.work.ledger,
        }
    }

    /// Puts the questions, and gives the calls with what was said to them.
    async fn agreed(&mut self, prepared: Vec<Prepared>) -> VecDeque<Plan> {
        let asked = prepared.iter().filter_map(Prepared::request).cloned();
        let requests: Vec<Request> = asked.collect();
        let mut answers = match requests.as_slice() {
            [] => Vec::new().into_iter(),
            requests => self.ask_person(requests).await.into_iter(),
        };
        let plans = prepared.into_iter().filter_map(|one| match one {
            Prepared::Free(plan) => Some(plan),
            Prepared::Asks(asked) => Some(asked.answered(answers.next())),
            Prepared::Over => None,
        });
        plans.collect()
    }

    async fn ask_person(&mut self, requests: &[Request]) -> Vec<Consent> {
        let Some(person) = self.resources.person.clone() else {
            return Vec::new();
        };
        let step = self.work.ledger.step();
        for request in requests {
            self.resources.emit(&Event::ConsentAsked {
                step,
                call_id: request.call_id.clone(),
                tool: request.tool.clone(),
            });
        }
        let answers = match requests {
            [request] => vec![person.consents(request).await],
            several => person.consents_to_all(several).await,
        };
        for (request, &consent) in requests.iter().zip(&answers) {
            self.resources.emit(&Event::ConsentAnswered {
                step,
                call_id: request.call_id.clone(),
                consent,
            });
        }
        answers
    }

    fn request(&self, index: usize, admitted: &Admitted) -> Request {
        let tool = &admitted.entry.tool;
        let question = &self.resources.question;
        Request {
            session_id: question.session_id.clone(),
            turn_id: question.turn_id.clone(),
            call_id: self.work.ledger.call_id(index),
            toolbox_id: admitted.entry.toolbox.id().to_owned(),
            tool: tool.name.clone(),
            description: tool.description.clone(),
            arguments: Arc::clone(&admitted.arguments),
            told: admitted.told.clone(),
            pin: tool.confirm == Confirm::Pin,
            lang: question.lang.clone(),
            is_guess: self.is_guess(tool),
            restated: question.intended.as_ref().and_then(|call| call.restated.clone()),
            wording: wording(admitted, question.lang.as_deref()),
            question: None,
        }
    }

    /// Tells whether the sentence that asks for the call was only nearly understood, or is like none for its tool.
    fn is_guess(&self, tool: &Tool) -> bool {
        let intended = self.resources.question.intended.as_ref();
        intended.is_some_and(|call| call.is_guess) || self.resources.guesses_deed(tool)
    }

    /// The call, which needs a yes if it is a guess and what it changes is not easily taken back, or whatever it changes if no word of
    /// it was said or if it changes several things at once.
    fn doubted(&self, call: Admitted) -> Admitted {
        let tool = &call.entry.tool;
        let intended = self.resources.question.intended.as_ref();
        let is_indirect = intended.is_some_and(|call| call.is_indirect);
        let is_easy = tool.read_only || tool.undo.is_some() && !is_indirect && !call.is_about_several();
        let is_doubtful = self.is_guess(tool) && !is_easy && call.consent == Need::Nothing;
        let consent = if is_doubtful { Need::Consent } else { call.consent };
        Admitted { consent, ..call }
    }
}

/// The question in the tool's own words, about what was found out of the call where that is what a person is told.
fn wording(admitted: &Admitted, lang: Option<&str>) -> Option<String> {
    let entry = &admitted.entry;
    let told = admitted.told.as_ref().unwrap_or(&admitted.arguments);
    entry
        .toolbox
        .question(&entry.tool.name, told, lang.unwrap_or("en"))
}

/// Tells the brain of a call that the person cannot be asked about in full.
fn unsayable(why: &Unsayable) -> String {
    format!(
        "it needs a yes and cannot be asked for aloud because {why}; it was not run. Call it with fewer, shorter and \
         plainer arguments, or tell the person that it cannot be done this way."
    )
}

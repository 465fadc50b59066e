//! Asking for a step until the reply can be used, and for the closing answer when a limit is reached.

use std::sync::Arc;

use super::closing::Cause;
use super::{Ending, Flow, Turn};
use loquat_conversation::brain::{Capabilities, ChatReply, ChatRequest, Sampling};
use loquat_conversation::catalogue::{NOOP, Silence};
use loquat_conversation::conversation::Item;
use loquat_conversation::dialect::phase::step::{self, Steps};
use loquat_conversation::dialect::{Dialect, Wording, Words, only_answer_schema, prompts};
use loquat_conversation::event::{Event, ReplyFault};
use loquat_conversation::record::Reason;
use loquat_decoder::{Call, Decoded, Flaw, Verdict, behind_echo, squash};

/// The closing answer is asked for this often.
const CLOSING_TRIES: u32 = 2;

/// A call that was got wrong is mended with little chance involved; not with none, or a brain that draws none would
/// write the same again.
const REPAIR_TEMPERATURE: f32 = 0.2;

/// A repair has this many tokens: it is one call or a few sentences.
const REPAIR_TOKENS: u32 = 300;

/// The brain's next move.
#[derive(Debug, PartialEq)]
pub(crate) enum Move {
    Answer(String),
    /// These calls are to be run.
    Act {
        reply: ChatReply,
        thought: String,
        /// The calls in order; never empty.
        calls: Vec<Call>,
        /// Says whether the brain takes the result for the whole answer.
        is_last: bool,
    },
}

impl Turn {
    /// Asks the brain until it gives a usable step. When a limit is reached or repairs do not help, it asks for the
    /// closing answer instead, and the turn ends.
    pub(crate) async fn think(&mut self, steps: &Steps) -> Flow<Move> {
        loop {
            if let Some(reason) = self.closing.reason().or_else(|| self.ledger.spending.exhausted()) {
                return Err(self.close(steps, reason).await);
            }
            self.welcome(steps).await;
            let found = self.catalogue.found();
            let sampling = self.sampling(Sampling::default(), Some(REPAIR_TOKENS));
            let knows = self.review.knows_enough();
            let calculates = self.review.take_has_to_calculate();
            let looks = self.has_to_look();
            let has_result = self.conversation.ends_with_a_result();
            let equip = |request: &mut ChatRequest, dialect: Dialect, capabilities: Capabilities| {
                let form = steps.manner().step_form(capabilities);
                if knows && dialect == Dialect::Schema {
                    steps.equip_for_answer(request, dialect, form);
                } else {
                    steps.equip(request, dialect, form, &found);
                }
                if looks && dialect == Dialect::Schema {
                    steps.equip_for_look(request, form);
                }
                if calculates && dialect == Dialect::Schema {
                    steps.equip_for_calculation(request, form);
                }
                let is_guessed = has_result && dialect == Dialect::Schema;
                request.guess = is_guessed.then(|| step::probable(form));
                request.sampling = sampling;
            };
            let listener = self.listener(steps, false);
            let reply = self.ask_heard(equip, listener.as_ref()).await?;
            let decoded = self.understand(steps, &reply);
            if !matches!(decoded.verdict, Verdict::Answer { .. }) {
                self.take_back_answer();
            }
            match decoded.verdict {
                Verdict::Answer { text, dropped } => {
                    self.emit_dropped(&dropped, "the answer came in the same reply");
                    match self.before_answer(&reply, &text) {
                        None => return Ok(Move::Answer(text)),
                        Some(asked_again) => asked_again?,
                    }
                }
                Verdict::Calls { calls, .. } if decoded.guessed && !self.only_read(&calls) => {
                    self.reject(&reply, &Flaw::Unlabelled, step::shape as Wording);
                }
                Verdict::Calls { calls, dropped } => {
                    self.emit_dropped(&dropped, "only one action counts in a step");
                    if self.is_noop(&calls) {
                        return Err(Ending::silent(Reason::Noop));
                    }
                    return Ok(Move::Act {
                        reply,
                        thought: decoded.thought,
                        calls,
                        is_last: decoded.is_last,
                    });
                }
                Verdict::OwnQuestion(_) => {
                    self.conversation.push(Item::said(&reply));
                    self.conversation.ask(&prompts::FOLLOW_UP_OWN_QUESTION);
                }
                Verdict::Intermediate(_) => {
                    self.conversation.push(Item::said(&reply));
                    self.conversation.ask(&prompts::FOLLOW_UP_ASK_ON);
                }
                Verdict::Flawed(flaw) => self.reject(&reply, &flaw, step::shape as Wording),
            }
        }
    }

    /// Says how the next reply is drawn: as usual, or nearly greedily and in so many tokens when it mends one that
    /// could not be used. A brain that reasons first needs its room.
    pub(super) fn sampling(&self, usual: Sampling, brief: Option<u32>) -> Sampling {
        if !self.streaks.is_flawed() {
            return usual;
        }
        Sampling {
            temperature: Some(REPAIR_TEMPERATURE),
            top_p: usual.top_p,
            max_tokens: brief.filter(|_| !self.ledger.reasons).or(usual.max_tokens),
        }
    }

    /// The closing answer of a loop, with tools withheld.
    async fn close(&mut self, steps: &Steps, reason: Reason) -> Ending {
        if self.closing.is_silent {
            return Ending::silent(reason);
        }
        self.close_with(steps, (step::conclude as Wording).into(), reason)
            .await
    }

    /// Asks for the answer that ends an engine, whatever is left of the budget.
    pub(crate) async fn conclude(&mut self, words: impl Into<Words>) -> Ending {
        let reason = self.ledger.spending.exhausted().unwrap_or(Reason::Answered);
        self.close_with(&Steps::none(), words.into(), reason).await
    }

    /// A call is never run any more and never spoken.
    async fn close_with(&mut self, steps: &Steps, words: Words, reason: Reason) -> Ending {
        let tries = if reason == Reason::ParseError {
            1
        } else {
            CLOSING_TRIES
        };
        self.conversation.ask(words.clone());
        // A model that has seen JSON goes on with it, and would call another tool.
        let answer = Arc::new(only_answer_schema());
        let equip = |request: &mut ChatRequest, dialect: Dialect, capabilities: Capabilities| {
            let form = steps.manner().step_form(capabilities);
            steps.equip_for_answer(request, dialect, form);
            if capabilities.json_schema && request.response_schema.is_none() {
                request.response_schema = Some(Arc::clone(&answer));
            }
        };
        for _ in 0..tries {
            let listener = self.listener(steps, true);
            let reply = match self.ask_heard(equip, listener.as_ref()).await {
                Ok(reply) => reply,
                Err(ending) => return ending,
            };
            let answered = if reason == Reason::ParseError {
                Reason::Answered
            } else {
                reason
            };
            let flaw = match self.understand(steps, &reply).verdict {
                Verdict::Answer { text, dropped } => {
                    self.emit_dropped(&dropped, "the answer came in the same reply");
                    let instead = self.before_last_answer(&text, answered);
                    return instead.unwrap_or_else(|| Ending::new(answered, text));
                }
                // The last there will be.
                Verdict::Intermediate(text) => return Ending::new(answered, text),
                Verdict::Calls { calls, .. } => {
                    let tools: Vec<String> = calls.into_iter().map(|call| call.tool).collect();
                    self.emit_dropped(&tools, "tools are withheld at the end of the turn");
                    Flaw::CallInsteadOfAnswer
                }
                Verdict::OwnQuestion(_) => Flaw::QuestionInsteadOfAnswer,
                Verdict::Flawed(flaw) => flaw,
            };
            self.emit(&Event::ReplyRejected {
                step: self.step(),
                fault: ReplyFault::Form,
                why: flaw.to_string(),
            });
            self.conversation
                .ask(words.clone().behind(&format!("That cannot be used: {flaw}. ")));
        }
        // `Answered` without an answer would be a lie.
        let reason = if reason == Reason::Answered {
            Reason::ParseError
        } else {
            reason
        };
        Ending::new(reason, self.sayable.best())
            .with_fault("the brain gave no answer when it was asked for the closing one")
    }

    /// Decodes a reply and keeps what was thought and said beside it.
    fn understand(&mut self, steps: &Steps, reply: &ChatReply) -> Decoded {
        let decoded = match self.without_echo(reply) {
            Some(reply) => steps.decode(&reply, self.catalogue.known()),
            None => steps.decode(reply, self.catalogue.known()),
        };
        self.note_thought(&decoded.thought);
        let aside = loquat_decoder::speakable(&decoded.aside);
        if !aside.is_empty() {
            self.sayable.keep_aside(aside);
        }
        decoded
    }

    /// A reply without the observation that it repeats at its beginning, if it does. Before any tool has run such an
    /// observation is invented, and so is what follows it.
    fn without_echo(&self, reply: &ChatReply) -> Option<ChatReply> {
        let mut calls = self.ledger.steps.iter().flat_map(|step| &step.calls);
        let bare = behind_echo(&reply.content);
        let repeats = bare.len() < reply.content.len() && calls.any(|call| call.executed);
        repeats.then(|| ChatReply {
            content: bare.to_owned(),
            ..reply.clone()
        })
    }

    /// Tells and keeps what the brain thought before the step that is under way.
    pub(super) fn note_thought(&mut self, thought: &str) {
        if !thought.is_empty() {
            self.emit(&Event::Thought {
                step: self.step(),
                text: thought.to_owned(),
            });
        }
        if let Some(record) = self.ledger.steps.last_mut() {
            thought.clone_into(&mut record.thought);
        }
    }

    /// Shows the brain what was wrong with its reply and how to mend it; after too many in a row only the closing answer
    /// is left.
    pub(super) fn reject(&mut self, reply: &ChatReply, flaw: &Flaw, shape: impl Into<Words>) {
        self.emit(&Event::ReplyRejected {
            step: self.step(),
            fault: ReplyFault::Form,
            why: flaw.to_string(),
        });
        if let Some(said) = Item::rejected(reply) {
            // A small model that ran on once and again would do so a third time.
            if *flaw == Flaw::CutOff && self.conversation.ends_with(&said) {
                self.closing.begin(Cause::Flaws);
            }
            self.conversation.push(said);
        }
        if self.count_flaw() {
            self.conversation.ask(Words::mending(flaw, shape));
        }
    }

    /// Counts a step that the brain got wrong. False when there have been too many in a row.
    pub(super) fn count_flaw(&mut self) -> bool {
        if self.streaks.count_flaw() > self.resources.policy.repairs {
            self.closing.begin(Cause::Flaws);
        }
        self.closing.cause().is_none()
    }

    /// The step was right after all.
    pub(super) fn forget_flaws(&mut self) {
        self.streaks.forget_flaws();
    }

    /// Tells whether these calls change nothing, so that they do no harm should they be no more than an example.
    fn only_read(&self, calls: &[Call]) -> bool {
        let reads = |call: &Call| {
            let entry = self.catalogue.find(&call.tool);
            entry.is_some_and(|entry| entry.tool.read_only)
        };
        calls.iter().all(reads)
    }

    /// A call of the tool that says nothing, also where it is not on offer. A tool of that name elsewhere is one like any.
    fn is_noop(&self, calls: &[Call]) -> bool {
        let says_nothing = |call: &Call| {
            let entry = self.catalogue.find(&call.tool);
            squash(&call.tool) == NOOP && entry.is_none_or(|entry| Silence::offers(&entry.tool))
        };
        matches!(calls, [call] if says_nothing(call))
    }
}

//! What stands between a call that the gate admits and its tool: the person's yes, the guard against loops, the cache, the
//! breaker and the budget. Runs no call.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Map;

use super::closing::Cause;
use super::plan::{Plan, Start};
use super::resources::Resources;
use super::work::Work;
use crate::gate::{Admitted, Need};
use crate::hands::extras::Extras;
use crate::hands::guard::{self, Advice};
use crate::hands::observation;
use loquat_conversation::event::Event;
use loquat_conversation::pieces::Pieces;
use loquat_conversation::toolbox::Circumstances;

/// A brain is told this of a call that it makes again.
pub(super) const CALLED_BEFORE: &str =
    "You made this call before. It was not run again; this is what it brought. Answer with it.";

/// The way of one call to its tool.
pub(super) struct Entry<'t> {
    pub(super) resources: &'t Resources,
    pub(super) work: &'t mut Work,
    /// What the tools of the last step have handed on.
    pub(super) extras: &'t Extras,
}

impl Entry<'_> {
    /// Lets a call begin, or closes its record with the reason why it may not. What a tool tells while it works is told as
    /// the answer where its result `is_answer`.
    pub(super) fn enter(mut self, plan: Plan, is_answer: bool) -> Option<Start> {
        let Plan { index, admitted } = plan;
        let admitted = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => return self.turn_away(index, &refusal.text),
        };
        if matches!(admitted.consent, Need::Consent | Need::Denied(_)) {
            return self.turn_away(index, "it needs the person's permission and was not run");
        }
        let key = guard::key(&admitted.entry.tool.name, &admitted.arguments);
        if !self.is_new(index, &admitted, &key) || self.is_known(index, &admitted, &key) {
            return None;
        }
        if let Some(why) = self.resources.recall.outage(&admitted) {
            return self.turn_away(index, &why);
        }
        let spending = &self.work.ledger.spending;
        if !spending.take_tool_call() {
            let most = spending.max_tool_calls();
            let why = format!("the limit of {most} tool calls is reached; it was not run");
            return self.turn_away(index, &why);
        }
        self.begin(index, key, admitted, is_answer)
    }

    fn turn_away(&mut self, index: usize, why: &str) -> Option<Start> {
        self.work.ledger.turn_away(index, why);
        None
    }

    /// Tells whether the guard lets the call run. One that it does not has its observation then.
    fn is_new(&mut self, index: usize, admitted: &Admitted, key: &str) -> bool {
        let (harmless, small) = (is_harmless(admitted), self.resources.is_small());
        let advice = self
            .resources
            .shared
            .with_guard(|guard| guard.advise(key, harmless, small));
        match advice {
            Advice::Run => return true,
            Advice::Known { observation, ok } => {
                if ok {
                    self.work.ledger.was_asked_again();
                }
                let again = format!("{{\"note\":\"{CALLED_BEFORE}\",\"earlier\":{observation}}}");
                self.work.ledger.close(index, again, false, Duration::ZERO);
            }
            Advice::Loop => {
                self.work.closing.begin(Cause::Loop);
                self.turn_away(
                    index,
                    "this call was made several times before; it was not run again",
                );
            }
        }
        false
    }

    /// Tells whether an equal call has brought its result a short while ago, which is the observation of this one then.
    fn is_known(&mut self, index: usize, admitted: &Admitted, key: &str) -> bool {
        let Some(outcome) = self.resources.recall.cached(admitted, key) else {
            return false;
        };
        let seen = observation::of_tool(&admitted.entry.tool, &outcome.result);
        self.work.sayable.keep_sentence(outcome.spoken.clone());
        self.resources.shared.heard.see(seen.as_str().into());
        self.resources.note_foreign_text(admitted, &Ok(outcome));
        self.work.ledger.close(index, seen, true, Duration::ZERO);
        true
    }

    fn begin(self, index: usize, key: String, admitted: Admitted, is_answer: bool) -> Option<Start> {
        let Self {
            resources,
            work,
            extras,
        } = self;
        let harmless = is_harmless(&admitted);
        resources.shared.with_guard(|guard| guard.begin(&key, harmless));
        let tool = &admitted.entry.tool;
        let call_id = work.ledger.call(index).map(|record| {
            record.executed = true;
            record.changes = !tool.read_only;
            record.call_id.clone()
        })?;
        let handed_on = if resources.shared.taint.may_be_behind(&admitted) {
            Map::new()
        } else {
            extras.for_call(&admitted)
        };
        let step = work.ledger.step();
        let line = Line {
            resources,
            step,
            call_id: &call_id,
            tool: &tool.name,
        };
        let circumstances = Circumstances {
            extras: handed_on,
            pieces: if tool.streams {
                line.pieces(is_answer)
            } else {
                Pieces::default()
            },
            progress: line.progress(),
            is_consented: admitted.consent == Need::Given,
            ..resources.circumstances(&call_id, work.ledger.spending.left())
        };
        resources.emit(&Event::ToolCalled {
            step,
            call_id,
            toolbox_id: admitted.entry.toolbox.id().to_owned(),
            tool: tool.name.clone(),
            arguments: Arc::clone(&admitted.arguments),
        });
        Some(Start {
            index,
            key,
            admitted,
            circumstances,
            step,
            observer: Arc::clone(&resources.observer),
        })
    }
}

fn is_harmless(admitted: &Admitted) -> bool {
    let tool = &admitted.entry.tool;
    tool.read_only || tool.idempotent
}

/// What a call tells while it runs.
struct Line<'t> {
    resources: &'t Resources,
    step: u32,
    call_id: &'t str,
    tool: &'t str,
}

impl Line<'_> {
    /// Takes what a tool tells while it works.
    fn pieces(&self, is_answer: bool) -> Pieces {
        let telling = self.resources.telling.as_ref().filter(|_| is_answer);
        let listener = telling.map(super::telling::Telling::tool_listener);
        let observer = Arc::clone(&self.resources.observer);
        let (step, call_id, tool) = (self.step, self.call_id.to_owned(), self.tool.to_owned());
        Pieces::heard_by(move |text| {
            observer.event(&Event::ToolPiece {
                step,
                call_id: call_id.clone(),
                tool: tool.clone(),
                text: text.to_owned(),
            });
            if let Some(listener) = &listener {
                listener.hear(step, text);
            }
        })
    }

    /// Takes how far a tool says that it is. What is too much of it is not told.
    fn progress(&self) -> Pieces {
        let observer = Arc::clone(&self.resources.observer);
        let (step, call_id, tool) = (self.step, self.call_id.to_owned(), self.tool.to_owned());
        Pieces::heard_by(move |text| {
            observer.event(&Event::ToolProgressed {
                step,
                call_id: call_id.clone(),
                tool: tool.clone(),
                text: text.to_owned(),
            });
        })
    }
}

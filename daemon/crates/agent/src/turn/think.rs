//! Asking for a step until the reply can be used, and for the closing answer when a limit is reached.

use std::sync::Arc;

use super::closing::Cause;
use super::ledger::Ledger;
use super::review::Instead;
use super::telling::{Listener, Unmarked};
use super::{Ending, Flow, Turn};
use loquat_conversation::brain::{Capabilities, ChatReply, ChatRequest, Sampling};
use loquat_conversation::catalogue::{Catalogue, NOOP, Silence};
use loquat_conversation::conversation::Item;
use loquat_conversation::dialect::phase::step::{self, Steps};
use loquat_conversation::dialect::{Dialect, Wording, Words, only_answer_schema, prompts};
use loquat_conversation::event::ReplyFault;
use loquat_conversation::record::Reason;
use loquat_decoder::{Call, Decoded, Flaw, Verdict, behind_echo, squash};

/// The closing answer is asked for this often.
const CLOSING_TRIES: u32 = 2;

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
            if let Some(reason) = self.work.reason_to_end() {
                return Err(self.close(steps, reason).await);
            }
            self.welcome(steps).await;
            let found = self.resources.catalogue.found();
            let mends = self.work.closing.is_flawed();
            let sampling = self
                .exchange
                .sampling(mends, Sampling::default(), Some(REPAIR_TOKENS));
            let knows = self.work.ledger.knows_enough();
            let calculates = self.review.take_has_to_calculate();
            let looks = self.resources.has_to_look();
            let has_result = self.exchange.conversation.ends_with_a_result();
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
            let reply = self.ask(equip, listener.as_ref()).await?;
            let decoded = self.understand(steps, &reply);
            if !matches!(decoded.verdict, Verdict::Answer { .. }) {
                self.resources.take_back_answer(self.work.ledger.step());
            }
            match decoded.verdict {
                Verdict::Answer { text, dropped } => {
                    self.work
                        .ledger
                        .drop_calls(&dropped, "the answer came in the same reply");
                    match self.before_answer(&text) {
                        None => return Ok(Move::Answer(text)),
                        Some(Instead::End(ending)) => return Err(ending),
                        Some(Instead::AskAgain(why)) => {
                            self.exchange.conversation.push(Item::said(&reply));
                            self.exchange.conversation.ask(why);
                        }
                    }
                }
                Verdict::Calls { calls, .. }
                    if decoded.guessed && !only_read(&calls, &self.resources.catalogue) =>
                {
                    self.reject(&reply, &Flaw::Unlabelled);
                }
                Verdict::Calls { calls, dropped } => {
                    self.work
                        .ledger
                        .drop_calls(&dropped, "only one action counts in a step");
                    if is_noop(&calls, &self.resources.catalogue) {
                        return Err(Ending::silent(Reason::Noop));
                    }
                    if !self.are_meant(&calls).await {
                        continue;
                    }
                    return Ok(Move::Act {
                        reply,
                        thought: decoded.thought,
                        calls,
                        is_last: decoded.is_last,
                    });
                }
                Verdict::OwnQuestion(_) => {
                    self.exchange.conversation.push(Item::said(&reply));
                    self.exchange.conversation.ask(&prompts::FOLLOW_UP_OWN_QUESTION);
                }
                Verdict::Intermediate(_) => {
                    self.exchange.conversation.push(Item::said(&reply));
                    self.exchange.conversation.ask(&prompts::FOLLOW_UP_ASK_ON);
                }
                Verdict::Flawed(flaw) => self.reject(&reply, &flaw),
            }
        }
    }

    /// The closing answer of a loop, with tools withheld.
    async fn close(&mut self, steps: &Steps, reason: Reason) -> Ending {
        if self.work.closing.is_silent {
            return Ending::silent(reason);
        }
        // What was done is told as done, whatever a later step wanted.
        let nothing_fits = self.work.closing.cause() == Some(&Cause::NothingFits);
        let words: Wording = if nothing_fits && !self.work.has_done_something() {
            step::conclude_without_tool
        } else {
            step::conclude
        };
        self.close_with(steps, words.into(), reason).await
    }

    /// Asks for the answer that ends an engine, whatever is left of the budget.
    pub(crate) async fn conclude(&mut self, words: impl Into<Words>) -> Ending {
        let reason = self.work.exhausted().unwrap_or(Reason::Answered);
        self.close_with(&Steps::none(), words.into(), reason).await
    }

    /// A call is never run any more and never spoken.
    async fn close_with(&mut self, steps: &Steps, words: Words, reason: Reason) -> Ending {
        let tries = if reason == Reason::ParseError {
            1
        } else {
            CLOSING_TRIES
        };
        self.exchange.conversation.ask(words.clone());
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
            let reply = match self.ask(equip, listener.as_ref()).await {
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
                    self.work
                        .ledger
                        .drop_calls(&dropped, "the answer came in the same reply");
                    let instead = self.before_last_answer(&text, answered);
                    return instead.unwrap_or_else(|| Ending::new(answered, text));
                }
                // The last there will be.
                Verdict::Intermediate(text) => return Ending::new(answered, text),
                Verdict::Calls { calls, .. } => {
                    let tools: Vec<String> = calls.into_iter().map(|call| call.tool).collect();
                    self.work
                        .ledger
                        .drop_calls(&tools, "tools are withheld at the end of the turn");
                    Flaw::CallInsteadOfAnswer
                }
                Verdict::OwnQuestion(_) => Flaw::QuestionInsteadOfAnswer,
                Verdict::Flawed(flaw) => flaw,
            };
            self.work.ledger.reject(ReplyFault::Form, flaw.to_string());
            self.review.note_flaw(&flaw);
            self.exchange
                .conversation
                .ask(words.clone().behind(&format!("That cannot be used: {flaw}. ")));
        }
        // `Answered` without an answer would be a lie.
        let reason = if reason == Reason::Answered {
            Reason::ParseError
        } else {
            reason
        };
        Ending::new(reason, self.work.sayable.best())
            .with_fault("the brain gave no answer when it was asked for the closing one")
    }

    /// Decodes a reply and keeps what was thought and said beside it.
    fn understand(&mut self, steps: &Steps, reply: &ChatReply) -> Decoded {
        let known = self.resources.catalogue.known();
        let decoded = match without_echo(reply, &self.work.ledger) {
            Some(reply) => steps.decode(&reply, known),
            None => steps.decode(reply, known),
        };
        self.work.ledger.note_thought(&decoded.thought);
        let aside = loquat_decoder::speakable(&decoded.aside);
        if !aside.is_empty() {
            self.work.sayable.keep_aside(aside);
        }
        decoded
    }

    fn reject(&mut self, reply: &ChatReply, flaw: &Flaw) {
        let shape = step::shape as Wording;
        self.review.note_flaw(flaw);
        self.exchange.reject(&mut self.work, reply, flaw, shape);
    }

    /// Gives what listens to the next reply for the answer, if an observer wants to hear it early. `closes` tells that only
    /// an answer is asked for.
    fn listener(&self, steps: &Steps, closes: bool) -> Option<Listener> {
        let telling = self.resources.telling.clone()?;
        let unmarked = Unmarked::among(steps, self.resources.capabilities(), closes);
        let catalogue = &self.resources.catalogue;
        Some(Listener::new(
            telling,
            steps,
            catalogue,
            self.evidence(),
            unmarked,
        ))
    }
}

/// A reply without the observation that it repeats at its beginning, if it does. Before any tool has run such an
/// observation is invented, and so is what follows it.
fn without_echo(reply: &ChatReply, done: &Ledger) -> Option<ChatReply> {
    let bare = behind_echo(&reply.content);
    let repeats = bare.len() < reply.content.len() && done.calls().any(|call| call.executed);
    repeats.then(|| ChatReply {
        content: bare.to_owned(),
        ..reply.clone()
    })
}

/// Tells whether these calls change nothing, so that they do no harm should they be no more than an example.
fn only_read(calls: &[Call], catalogue: &Catalogue) -> bool {
    let reads = |call: &Call| {
        let entry = catalogue.find(&call.tool);
        entry.is_some_and(|entry| entry.tool.read_only)
    };
    calls.iter().all(reads)
}

/// A call of the tool that says nothing, also where it is not on offer. A tool of that name elsewhere is one like any.
fn is_noop(calls: &[Call], catalogue: &Catalogue) -> bool {
    let says_nothing = |call: &Call| {
        let entry = catalogue.find(&call.tool);
        squash(&call.tool) == NOOP && entry.is_none_or(|entry| Silence::offers(&entry.tool))
    };
    matches!(calls, [call] if says_nothing(call))
}

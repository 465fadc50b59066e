//! One utterance on its way through the pipeline, until a stage has a match (PIPELINE-1 §6).
//!
//! Stages that need no answer of a skill decide at once; those that poll skills wait for them, never longer than their
//! window. A match that the session denies is none, and the next stage is tried. Searching changes nothing.

mod common_query;
mod polled;

use std::fmt;
use std::sync::Arc;

use loquat_bus::Bus;
use loquat_sentences::words::{Word, words};
use loquat_wire::{Message, Session, topic};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::commands;
use super::dispatch::Done;
use super::effort::Effort;
use super::frames::SKILL_ID;
use super::manifest::{Manifest, Recognised};
use super::matching::Matching;
use super::orders::Orders;
use super::pipeline::{self, Stage};
use super::registration;

/// Hypotheses that our own tools look at.
const HYPOTHESES: usize = 4;

/// Where the answer to a question of ours is dispatched to.
pub const RESPONSE: &str = "response";

/// The intent of an utterance without an answer, for which it is said why.
pub const UNKNOWN: &str = "unknown";

/// The intent under which the persona answers.
pub const CHAT: &str = "chat";

/// The personas that may answer, known by their ids alone.
pub trait Personas: fmt::Debug + Send + Sync {
    /// Gives the id of the persona that has this id or name.
    fn find(&self, id_or_name: &str) -> Option<String>;

    /// Finds a persona by id or name, without those that were taken back.
    fn find_offered(&self, id_or_name: &str) -> Option<String>;

    /// Names the persona that answers where the session has summoned none.
    fn default_persona(&self) -> Option<String>;

    /// Tells whether what our own tools understand is theirs to answer where the persona of this id is spoken
    /// to.
    fn leaves_to_tools(&self, id: &str) -> bool;

    /// Tells whether a toolbox is one of the persona of this id.
    fn has_toolbox(&self, id: &str, toolbox_id: &str) -> bool;
}

/// The sentences that our own tools understand.
pub trait ToolIntents: fmt::Debug + Send + Sync {
    /// Finds the intent that an utterance is, whole, in this language, with what fills its gaps.
    fn recognise(&self, text: &str, lang: &str) -> Option<Recognised>;

    /// Finds the intent that an utterance nearly is, where [`Self::recognise`] finds none.
    fn guess(&self, text: &str, lang: &str) -> Option<Recognised>;

    /// Names the toolboxes that the utterance asks for.
    fn toolboxes(&self, text: &str, lang: &str) -> Vec<String>;

    /// Answers an utterance that asks not to do something: it is not done, whatever it is.
    fn refrains(&self, text: &str, lang: &str) -> Option<String>;

    /// Tells whether the utterance asks for nothing more than to forget what was begun.
    fn is_dismissal(&self, text: &str, lang: &str) -> bool;
}

/// An utterance, and all that decides whose it is.
#[derive(Debug, Clone)]
pub struct Search {
    /// Stages that poll ask over it.
    pub bus: Bus,
    /// It is stamped, and carries the working session.
    pub entry: Message,
    /// What was said, best hypothesis first; never empty.
    pub texts: Vec<String>,
    /// The utterance is in this language alone.
    pub lang: String,
    /// It holds who registered what.
    pub manifest: Arc<Manifest>,
    /// It holds our own commands, as [`commands::manifest`] made them.
    pub commands: Arc<Manifest>,
    /// Our own tools understand these sentences.
    pub tools: Arc<dyn ToolIntents>,
    /// The orders of the utterance's language.
    pub orders: &'static Orders,
    /// These personas are ours.
    pub personas: Arc<dyn Personas>,
    /// When the utterance came, in seconds since 1970.
    pub now_unix: f64,
    /// Whether a turn of ours runs in this session.
    pub busy: bool,
    /// The skill that waits for an answer in this session and asked for it the older way.
    pub waiting: Option<String>,
    /// Where the persona stands among the fallback handlers.
    pub fallback_priority: i64,
    /// Skills that have had the utterance already and did not want it.
    pub declined: Vec<String>,
    /// The stage where the last of them was found; those before it have had their chance.
    pub resumes_at: Option<Stage>,
    /// What it means in the conversation in which it is said.
    pub follows: Option<FollowUp>,
    /// Where comparing goes on that takes long.
    pub matching: Matching,
    /// Whether the owner says it.
    pub own: bool,
    /// The id of the one persona that the speaker may reach. No other one is found then, no skill is asked, and of our own
    /// tools only those of that persona understand anything.
    pub bound_to: Option<String>,
    /// Whether an utterance of this session is before it, which must not be overtaken.
    pub queues: bool,
    /// Cancelled when a skill is asked, which may take long: those behind it need not wait for it any more.
    pub asks: CancellationToken,
}

/// What an utterance means in the conversation in which it is said, unless it is an order or an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FollowUp {
    /// It answers what the persona of this id has asked.
    Answers(String),
    /// The person does not want to speak on.
    Ends,
}

/// Whose it is.
#[derive(Debug)]
pub struct Match {
    /// The intent is this skill's.
    pub skill_id: String,
    /// The skill calls the intent so.
    pub intent_name: String,
    /// The stage that found it.
    pub stage: Stage,
    /// This hypothesis matched.
    pub utterance: String,
    /// These words filled the gaps.
    pub slots: Map<String, Value>,
    /// The session that the match leaves, in place of the old one (SE2-3).
    pub session: Session,
    /// What is to be done about it.
    pub task: Task,
}

/// Why nothing has an answer.
#[derive(Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The session has summoned a persona that is not there.
    UnknownPersona(String),
    /// There is no persona at all.
    NoPersona,
    /// No skill and no persona knew one.
    Unknown,
}

/// What is to be done about a match.
#[derive(Debug)]
pub enum Task {
    /// The persona answers the words.
    Answer {
        /// The persona has this id.
        persona_id: String,
        /// What it is asked.
        words: String,
    },
    /// The persona of this id answers from now on.
    Summon(String),
    /// The persona of this id, which was summoned, answers no more.
    Release(String),
    /// Say which personas there are.
    List,
    /// Say which persona answers now.
    Check,
    /// Say this answer of a skill.
    Say(String),
    /// Say that there is no answer.
    Apologise(NoAnswer),
    /// Set the emergency stop, or clear it.
    EmergencyStop(bool),
    /// Undo what was done last in this session.
    Undo,
    /// Say what goes on in the background of this session.
    TellBackground,
    /// End what goes on in the background of this session.
    CancelBackground,
    /// End what we are doing in this session.
    StopUs,
    /// End everything in this session.
    StopAll,
    /// Bring it to another skill.
    Bring {
        /// The name that older skills listen to, where it is no twin, and its payload.
        older: Option<(String, Value)>,
        /// Another frame by which the skill tells that it is done.
        done: Option<Done>,
        /// Whether the skill goes on with what it was doing.
        brief: bool,
        /// Whether the payload has the slots beside `utterance`, as older skills read them.
        flat: bool,
        /// Whether it may send the end marker itself.
        may_end_itself: bool,
    },
}

impl Search {
    /// Goes through the stages. `None` when nothing matches: then no stage takes the utterance.
    pub async fn run(self) -> Option<Match> {
        let stages = pipeline::effective(&self.session());
        let resumes_at = self.resumes_at;
        let passed = move |stage: &Stage| resumes_at.is_some_and(|at| at != *stage);
        self.through(stages.into_iter().skip_while(passed)).await
    }

    /// Goes through these stages only.
    pub async fn through(self, stages: impl IntoIterator<Item = Stage>) -> Option<Match> {
        let said = words(self.texts.first().map(String::as_str).unwrap_or_default());
        let mut follows = self.follows.clone();
        for stage in stages.into_iter().filter(|stage| self.reaches(*stage)) {
            let is_before = matches!(stage, Stage::Stop | Stage::Converse | Stage::Intents);
            let follow_up = follows.take_if(|_| !is_before);
            let spoken_on = follow_up.and_then(|follow_up| self.spoken_on(follow_up));
            if let Some(found) = spoken_on.filter(|found| self.allows(found)) {
                return Some(found);
            }
            let found = match stage {
                Stage::Stop => self.stop(&said).await,
                Stage::Converse => self.converse().await,
                Stage::Intents => match self.intents().await {
                    Some(found) => Some(found),
                    None => self.tools(),
                },
                Stage::CommonQuery => self.common_query().await,
                Stage::Persona => self
                    .command()
                    .or_else(|| self.dismissed())
                    .or_else(|| self.summoned()),
                Stage::PersonaFallback => self.anybody(stage),
                Stage::FallbackHigh | Stage::FallbackMedium | Stage::FallbackLow => {
                    self.fallback(stage).await
                }
            };
            if let Some(found) = found.filter(|found| self.allows(found)) {
                return Some(found);
            }
        }
        None
    }

    /// Tells whether a stage may have anything for this speaker. Those that ask skills have nothing for one
    /// who is bound.
    fn reaches(&self, stage: Stage) -> bool {
        let asks_skills = matches!(stage, Stage::Converse | Stage::CommonQuery);
        self.bound_to.is_none() || !asks_skills
    }

    fn session(&self) -> Session {
        self.entry.context.session()
    }

    /// Gives the id of the persona that has this id or name, if the speaker may reach it.
    fn found_persona(&self, id_or_name: &str) -> Option<String> {
        self.personas.find(id_or_name).filter(|id| self.may_reach(id))
    }

    fn may_reach(&self, persona_id: &str) -> bool {
        let bound_to = self.bound_to.as_deref();
        bound_to.is_none_or(|bound_to| bound_to == persona_id)
    }

    fn text(&self) -> String {
        self.texts.first().cloned().unwrap_or_default()
    }

    /// Makes a match of the first hypothesis that leaves the session as it is.
    fn found(&self, stage: Stage, skill_id: &str, intent_name: &str, task: Task) -> Match {
        Match {
            skill_id: skill_id.to_owned(),
            intent_name: intent_name.to_owned(),
            stage,
            utterance: self.text(),
            slots: Map::new(),
            session: self.session(),
            task,
        }
    }

    /// Tells whether the deny lists of the session leave a match (PL-6).
    fn allows(&self, found: &Match) -> bool {
        let session = self.session();
        let intent = topic::dispatch(&found.skill_id, &found.intent_name);
        let denied = |field: &str, value: &str| session.texts(field).contains(&value);
        !denied("blacklisted_skills", &found.skill_id) && !denied("blacklisted_intents", &intent)
    }

    /// Tries one hypothesis after the other and gives the first match: what was understood second best may be
    /// what was said. Each has an equal part of the effort, and what those before it left.
    fn each_hypothesis(
        &self,
        effort: &mut Effort,
        find: impl Fn(&Self, &[Word], &mut Effort) -> Option<Match>,
    ) -> Option<Match> {
        let mut hypotheses = (1..=self.texts.len()).rev().zip(&self.texts);
        hypotheses.find_map(|(left, text)| {
            let hypothesis = Self {
                texts: vec![text.clone()],
                ..self.clone()
            };
            let mut part = effort.part(left);
            let found = find(&hypothesis, &words(text), &mut part);
            effort.give_back(&part);
            found
        })
    }

    /// Skills register what they like, so only a little is compared at once. Where that is not enough, all is compared
    /// where nothing has to wait for it.
    async fn intents(&self) -> Option<Match> {
        if !self.queues {
            let mut effort = Effort::LITTLE;
            let found = self.each_hypothesis(&mut effort, Self::intent);
            if !effort.is_spent() {
                return found;
            }
        }
        let search = self.clone();
        let compare = move || search.each_hypothesis(&mut Effort::WHOLE.clone(), Self::intent);
        self.matching.run(self.own, compare).await.flatten()
    }

    fn intent(&self, said: &[Word], effort: &mut Effort) -> Option<Match> {
        let session = self.session();
        let found = self
            .manifest
            .recognise(said, &self.lang, &session, SKILL_ID, effort);
        let mut matches = found.into_iter().filter_map(|recognised| {
            if recognised.skill_id == SKILL_ID {
                self.ours(&recognised, Stage::Intents)
            } else {
                Some(self.skills(recognised)).filter(|_| self.bound_to.is_none())
            }
        });
        matches.find(|found| self.allows(found))
    }

    /// Finds what our own tools understand, which comes after what skills elsewhere do. The persona of the
    /// session is asked where a tool does not take it after all.
    fn tools(&self) -> Option<Match> {
        let persona_id = self.answering().unwrap_or_default();
        if self.is_foreign() || !self.personas.leaves_to_tools(&persona_id) {
            return None;
        }
        let Some((text, recognised)) = self.understood_by_tools(&persona_id) else {
            return self.refrained();
        };
        let words = text.clone();
        let task = Task::Answer { persona_id, words };
        Some(Match {
            slots: registration::slots(&recognised.slots),
            utterance: text.clone(),
            ..self.found(Stage::Intents, SKILL_ID, &recognised.intent_name, task)
        })
    }

    /// Tells those who say what is not to be done that it was not. A brain might do it.
    fn refrained(&self) -> Option<Match> {
        let said = self.tools.refrains(self.texts.first()?, &self.lang)?;
        Some(self.found(Stage::Intents, SKILL_ID, RESPONSE, Task::Say(said)))
    }

    /// Finds the first hypothesis that is a sentence of our own tools. Only where none is one they guess:
    /// what was understood second best and makes sense as it is was said rather than what nearly makes sense.
    fn understood_by_tools(&self, persona_id: &str) -> Option<(&String, Recognised)> {
        let (tools, lang) = (&self.tools, &self.lang);
        let texts = || self.texts.iter().take(HYPOTHESES);
        let exact = texts().filter_map(|text| Some((text, tools.recognise(text, lang)?)));
        let mut exact = exact.peekable();
        let is_known = exact.peek().is_some();
        let unknown = texts().filter(|_| !is_known);
        let guesses = unknown.filter_map(|text| Some((text, tools.guess(text, lang)?)));
        let mut found = exact.chain(guesses);
        found.find(|(text, _)| self.may_use_tools_of(text, persona_id))
    }

    /// Tells whether the session denies none of the toolboxes that a sentence asks for, and a speaker who is
    /// bound has all of them.
    fn may_use_tools_of(&self, text: &str, persona_id: &str) -> bool {
        let session = self.session();
        let (denied, is_bound) = (session.blacklisted_skills(), self.bound_to.is_some());
        if denied.is_empty() && !is_bound {
            return true;
        }
        let asked = self.tools.toolboxes(text, &self.lang);
        asked.iter().all(|toolbox_id| {
            let has_it = || self.personas.has_toolbox(persona_id, toolbox_id);
            !denied.contains(&toolbox_id.as_str()) && (!is_bound || has_it())
        })
    }

    fn skills(&self, recognised: Recognised) -> Match {
        let Recognised {
            skill_id,
            intent_name,
            slots,
            ..
        } = recognised;
        let task = Task::Bring {
            older: None,
            done: None,
            brief: false,
            flat: self.manifest.is_older(&skill_id),
            may_end_itself: !self.manifest.is_modern(&skill_id),
        };
        let slots = registration::slots(&slots);
        Match {
            slots,
            ..self.found(Stage::Intents, &skill_id, &intent_name, task)
        }
    }

    fn command(&self) -> Option<Match> {
        self.each_hypothesis(&mut Effort::LITTLE.clone(), |hypothesis, said, effort| {
            let found = commands::recognise(&self.commands, said, &self.lang, self.orders, effort);
            let mut matches = found
                .into_iter()
                .filter_map(|recognised| hypothesis.ours(&recognised, Stage::Persona));
            matches.find(|found| hypothesis.allows(found))
        })
    }

    /// A command of ours, if it makes sense: a persona that is not there cannot be summoned, and one that no session
    /// summoned cannot be dismissed; then the words are ordinary ones.
    fn ours(&self, recognised: &Recognised, stage: Stage) -> Option<Match> {
        let slot = |wanted: &str| {
            let found = recognised.slots.iter().find(|(name, _)| name == wanted);
            found.map(|(_, text)| text.as_str())
        };
        let mut session = self.session();
        let active = session.persona_id().and_then(|id| self.found_persona(id));
        let offered = |name: &str| self.personas.find_offered(name).filter(|id| self.may_reach(id));
        let named = || slot("persona").and_then(offered);
        let task = match recognised.intent_name.as_str() {
            commands::SUMMON => {
                let persona = named()?;
                session.set_persona_id(Some(&persona));
                Task::Summon(persona)
            }
            // Who is bound to a persona speaks to it again at once.
            commands::RELEASE if self.bound_to.is_some() => return None,
            commands::RELEASE => {
                let active = active?;
                let meant = slot("persona").map(|name| self.personas.find(name));
                if meant.is_some_and(|meant| meant.is_none_or(|meant| meant != active)) {
                    return None;
                }
                session.set_persona_id(None);
                Task::Release(active)
            }
            commands::ASK => Task::Answer {
                persona_id: named()?,
                words: self.question(slot("query")?),
            },
            commands::LIST => Task::List,
            commands::CHECK => Task::Check,
            commands::UNDO => Task::Undo,
            commands::BACKGROUND => Task::TellBackground,
            commands::CANCEL_BACKGROUND => Task::CancelBackground,
            other => Task::EmergencyStop(commands::sets_emergency_stop(other)?),
        };
        let slots = registration::slots(&recognised.slots);
        Some(Match {
            slots,
            session,
            ..self.found(stage, SKILL_ID, &recognised.intent_name, task)
        })
    }

    /// Cuts out what a persona is asked: it begins at the question word, if the sentence has one before the
    /// slot.
    fn question(&self, query: &str) -> String {
        let text = self.text();
        let start = text.find(query).unwrap_or(0);
        let before = text.get(..start).unwrap_or_default().trim_end();
        let word = before.rsplit(' ').next().unwrap_or_default();
        if self.orders.is_question_word(word) {
            format!("{word} {query}")
        } else {
            query.to_owned()
        }
    }

    /// The persona that the session has summoned takes everything that reaches it (PE-2, PE-3).
    fn summoned(&self) -> Option<Match> {
        let session = self.session();
        let persona = session.persona_id().and_then(|id| self.found_persona(id))?;
        Some(self.answered_by(persona, Stage::Persona))
    }

    /// Goes on with the conversation, unless it is a command of ours.
    fn spoken_on(&self, follow_up: FollowUp) -> Option<Match> {
        self.command().or_else(|| match follow_up {
            FollowUp::Answers(id) => Some(self.answered_by(self.found_persona(&id)?, Stage::Persona)),
            FollowUp::Ends => Some(self.ended()),
        })
    }

    /// Ends what a person has begun, without a word.
    fn ended(&self) -> Match {
        self.found(Stage::Converse, SKILL_ID, RESPONSE, Task::Say(String::new()))
    }

    /// Wants nothing for a person who says "never mind", also where nothing was begun. It is not left to a
    /// brain, which would ask what for.
    fn dismissed(&self) -> Option<Match> {
        let text = self.text();
        let is_dismissal = self.orders.is_dismissal(&text) || self.tools.is_dismissal(&text, &self.lang);
        (is_dismissal && !self.is_foreign()).then(|| self.ended())
    }

    /// The default persona takes what is left, unless the session has summoned a persona of another program (PE-2).
    fn anybody(&self, stage: Stage) -> Option<Match> {
        self.answering().map(|persona| self.answered_by(persona, stage))
    }

    /// Names our persona that is spoken to in this session.
    fn answering(&self) -> Option<String> {
        match self.bound_to.as_deref().or(self.session().persona_id()) {
            Some(id) => self.personas.find(id),
            None => self.personas.default_persona(),
        }
    }

    /// Tells whether the session has summoned a persona of another program.
    fn is_foreign(&self) -> bool {
        let session = self.session();
        session
            .persona_id()
            .is_some_and(|id| self.personas.find(id).is_none())
    }

    fn answered_by(&self, persona_id: String, stage: Stage) -> Match {
        let words = self.text();
        self.found(stage, SKILL_ID, CHAT, Task::Answer { persona_id, words })
    }

    /// Behind all other handlers the person is told that there is no answer (FB-6).
    fn apology(&self) -> Match {
        let session = self.session();
        let why = match session.persona_id() {
            Some(id) if self.personas.find(id).is_none() => NoAnswer::UnknownPersona(id.to_owned()),
            _ if self.personas.default_persona().is_none() => NoAnswer::NoPersona,
            _ => NoAnswer::Unknown,
        };
        self.found(Stage::FallbackLow, SKILL_ID, UNKNOWN, Task::Apologise(why))
    }

    /// Makes a question to all skills, then one to each in the way that older skills hear it.
    fn pings(&self, topic: &str, skills: &[String], event: &str) -> Vec<Message> {
        let data = json!({"utterances": self.texts, "lang": self.lang});
        let each = skills.iter().map(|id| {
            let data = json!({"utterances": self.texts, "lang": self.lang, "skill_id": id});
            self.entry.reply(topic::skill_topic(id, event), data)
        });
        std::iter::once(self.entry.reply(topic, data))
            .chain(each)
            .collect()
    }
}

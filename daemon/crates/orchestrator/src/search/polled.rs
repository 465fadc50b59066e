//! The stages that ask skills first: stop, converse and fallback.

use std::collections::BTreeMap;
use std::time::Duration;

use loquat_sentences::words::Word;
use loquat_wire::{Session, topic};
use serde_json::{Value, json};

use super::super::commands;
use super::super::dispatch::Done;
use super::super::frames::SKILL_ID;
use super::super::handlers::remove_handler;
use super::super::pipeline::Stage;
use super::super::poll::{Poll, Pong, WINDOW};
use super::{Match, Search, Task};

/// Skills that are asked in one round; a session that lists more is not believed.
const ASKED_AT_ONCE: usize = 32;

impl Search {
    /// Asks skills, and may be overtaken from then on.
    pub(super) async fn ask(&self, poll: Poll<'_>) -> BTreeMap<String, Pong> {
        self.asks.cancel();
        poll.run(&self.bus).await
    }

    /// Looks for words that stop: they are for the newest skill at work, or for everything (SP-8, SP-9).
    pub(super) async fn stop(&self, said: &[Word]) -> Option<Match> {
        let text = self.text();
        if said.is_empty() {
            return None;
        }
        // No skill may take this for something else.
        if let Some(found) = commands::emergency_stop(&self.commands, said, &self.lang, self.orders) {
            return self.ours(&found, Stage::Stop);
        }
        if self.orders.is_stop_everything(&text) {
            return Some(self.stop_all(true));
        }
        if !self.orders.is_stop(&text) {
            return None;
        }
        let handlers = self.stoppable();
        let Some(newest) = handlers.first() else {
            return Some(self.stop_all(false));
        };
        // Our own answer needs no asking, and no skill is newer than the newest.
        let target = if newest == SKILL_ID && self.busy {
            newest.clone()
        } else {
            self.busy_one(&handlers).await.unwrap_or_else(|| newest.clone())
        };
        Some(self.stop_one(&target))
    }

    /// Names those who may have something to stop, the newest first (SP-8). A client that keeps its session
    /// itself has us in it only when our turn has ended, so while one runs we are the newest all the same.
    fn stoppable(&self) -> Vec<String> {
        let mut handlers = self.newest_first("active_handlers");
        let session = self.session();
        let unlisted = self.busy && !handlers.iter().any(|id| id == SKILL_ID);
        if unlisted && !session.blacklisted_skills().contains(&SKILL_ID) {
            handlers.insert(0, SKILL_ID.to_owned());
        }
        handlers
    }

    /// Finds the newest of the handlers that have something to stop.
    async fn busy_one(&self, handlers: &[String]) -> Option<String> {
        let others: Vec<String> = handlers.iter().filter(|id| *id != SKILL_ID).cloned().collect();
        // Where there is but one to stop, what it answers changes nothing, and the person who said stop waits.
        let window = if handlers.len() > 1 {
            WINDOW
        } else {
            Duration::ZERO
        };
        let poll = Poll {
            pings: self.pings(topic::STOP_PING, &others, "stop.ping"),
            pongs: &[topic::STOP_PONG],
            asked: &others,
            window,
        };
        let pongs = if others.is_empty() {
            BTreeMap::new()
        } else {
            self.ask(poll).await
        };
        let is_busy =
            |id: &&String| (*id == SKILL_ID && self.busy) || pongs.get(*id).is_some_and(|pong| pong.claims);
        handlers.iter().find(is_busy).cloned()
    }

    fn stop_one(&self, target: &str) -> Match {
        let mut session = self.session();
        remove_handler(&mut session, "active_handlers", target);
        let waits = session
            .get("response_mode")
            .and_then(|mode| mode.get("skill_id")?.as_str().map(str::to_owned));
        if waits.as_deref() == Some(target) {
            session.remove("response_mode");
        }
        let task = if target == SKILL_ID {
            Task::StopUs
        } else {
            Task::Bring {
                older: None,
                done: Some(Done {
                    topic: topic::skill_topic(target, "stop.response"),
                }),
                brief: false,
                flat: false,
                // Skills of neither generation end the word that stops them.
                may_end_itself: false,
            }
        };
        Match {
            session,
            ..self.found(Stage::Stop, target, "stop", task)
        }
    }

    /// Everything in the session; explicit words dismiss the persona too, a plain "stop" does not.
    fn stop_all(&self, explicit: bool) -> Match {
        let mut session = self.session();
        for field in ["active_handlers", "converse_handlers", "response_mode"] {
            session.remove(field);
        }
        if explicit {
            session.set_persona_id(None);
        }
        Match {
            session,
            ..self.found(Stage::Stop, Stage::Stop.id(), "global_stop", Task::StopAll)
        }
    }

    /// A skill that waits for an answer gets it; else the first of the active ones that wants it (CV-6).
    pub(super) async fn converse(&self) -> Option<Match> {
        let session = self.session();
        if let Some(found) = self.response(&session) {
            return Some(found);
        }
        let handlers: Vec<String> = self
            .handlers("converse_handlers")
            .into_iter()
            .filter(|id| id != SKILL_ID && !self.declined.contains(id))
            .collect();
        if handlers.is_empty() {
            return None;
        }
        let poll = Poll {
            pings: self.pings(topic::CONVERSE_PING, &handlers, "converse.ping"),
            pongs: &[topic::CONVERSE_PONG, topic::SKILL_CONVERSE_PONG],
            asked: &handlers,
            window: WINDOW,
        };
        let pongs = self.ask(poll).await;
        let claimed = handlers.iter().find_map(|id| Some((id, pongs.get(id)?)));
        let (id, pong) = claimed.filter(|(_, pong)| pong.claims).or_else(|| {
            let mut claims = handlers.iter().filter_map(|id| Some((id, pongs.get(id)?)));
            claims.find(|(_, pong)| pong.claims)
        })?;
        Some(self.conversing(id, pong))
    }

    fn conversing(&self, id: &str, pong: &Pong) -> Match {
        let data =
            json!({"utterances": self.texts, "utterance": self.text(), "lang": self.lang, "skill_id": id});
        let task = Task::Bring {
            older: Some((topic::skill_topic(id, "converse.request"), data)),
            done: Some(Done {
                topic: topic::SKILL_CONVERSE_RESPONSE.to_owned(),
            }),
            brief: false,
            flat: false,
            may_end_itself: pong.topic == topic::SKILL_CONVERSE_PONG,
        };
        self.found(Stage::Converse, id, "converse", task)
    }

    /// Finds a live `response_mode` of a skill that may converse, or a skill that asked the older way.
    fn response(&self, session: &Session) -> Option<Match> {
        let mode = session.get("response_mode");
        let holder = mode.and_then(|mode| mode.get("skill_id")?.as_str());
        let expires = mode.and_then(|mode| mode.get("expires_at")?.as_f64());
        let live = expires.is_none_or(|at| at > self.now_unix);
        let may = |id: &&str| self.handlers("converse_handlers").iter().any(|other| other == id);
        let modern = holder.filter(|id| live && may(id));
        let id = self.waiting.as_deref().or(modern)?;
        let mut after = session.clone();
        after.remove("response_mode");
        let data =
            json!({"utterances": self.texts, "utterance": self.text(), "lang": self.lang, "skill_id": id});
        let older = self.waiting.is_some();
        let task = Task::Bring {
            older: older.then(|| (topic::skill_topic(id, "converse.get_response"), data)),
            done: None,
            brief: older,
            flat: false,
            may_end_itself: false,
        };
        Some(Match {
            session: after,
            ..self.found(Stage::Converse, id, "response", task)
        })
    }

    /// Asks the fallback handlers of a band, ourselves among them where our priority is.
    pub(super) async fn fallback(&self, stage: Stage) -> Option<Match> {
        let band = stage.band()?;
        let session = self.session();
        let handlers = match self.bound_to {
            Some(_) => Vec::new(),
            None => self.manifest.fallbacks(session.id(), band.clone()),
        };
        let ours = band.contains(&self.fallback_priority);
        let before = |priority: i64| !ours || priority < self.fallback_priority;
        let ids = |wanted: &dyn Fn(i64) -> bool| -> Vec<String> {
            let wanted = handlers
                .iter()
                .filter(|handler| wanted(handler.priority) && !self.declined.contains(&handler.skill_id));
            wanted
                .map(|handler| handler.skill_id.clone())
                .take(ASKED_AT_ONCE)
                .collect()
        };
        if let Some(found) = self.first_claim(stage, &ids(&before)).await {
            return Some(found);
        }
        if ours {
            if let Some(found) = self.anybody(stage).filter(|found| self.allows(found)) {
                return Some(found);
            }
        }
        if let Some(found) = self.first_claim(stage, &ids(&|priority| !before(priority))).await {
            return Some(found);
        }
        (stage == Stage::FallbackLow).then(|| self.apology())
    }

    async fn first_claim(&self, stage: Stage, ids: &[String]) -> Option<Match> {
        if ids.is_empty() {
            return None;
        }
        let data = json!({"utterances": self.texts, "lang": self.lang, "range": [0, 101]});
        let poll = Poll {
            pings: vec![self.entry.reply(topic::FALLBACK_PING, data)],
            pongs: &[topic::FALLBACK_PONG],
            asked: ids,
            window: WINDOW,
        };
        let pongs = self.ask(poll).await;
        let id = ids
            .iter()
            .find(|id| pongs.get(*id).is_some_and(|pong| pong.claims))?;
        let data =
            json!({"utterances": self.texts, "utterance": self.text(), "lang": self.lang, "skill_id": id});
        let task = Task::Bring {
            older: Some((topic::fallback_topic(id, "request"), data)),
            done: Some(Done {
                topic: topic::fallback_topic(id, "response"),
            }),
            brief: false,
            flat: false,
            may_end_itself: !self.manifest.is_modern(id),
        };
        Some(self.found(stage, id, "fallback", task))
    }

    /// Lists the skills in a field of the session, in the order in which they are listed.
    pub(super) fn handlers(&self, field: &str) -> Vec<String> {
        self.dated(field).into_iter().map(|(id, _)| id).collect()
    }

    /// Those skills, the one that became active last first. Skills of one moment keep the order of the list.
    fn newest_first(&self, field: &str) -> Vec<String> {
        let mut dated = self.dated(field);
        dated.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        dated.into_iter().map(|(id, _)| id).collect()
    }

    fn dated(&self, field: &str) -> Vec<(String, f64)> {
        let session = self.session();
        let listed = session.get(field).and_then(Value::as_array).into_iter().flatten();
        let dated = listed.filter_map(|handler| {
            let at = handler.get("activated_at").and_then(Value::as_f64);
            Some((handler.get("skill_id")?.as_str()?, at.unwrap_or_default()))
        });
        let denied = session.blacklisted_skills();
        dated
            .filter(|(id, _)| !denied.contains(id) && topic::is_valid(id))
            .take(ASKED_AT_ONCE)
            .map(|(id, at)| (id.to_owned(), at))
            .collect()
    }
}

//! The stage: runs one turn and keeps everything that happened in it.

use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use loquat_agent::brain::{Capabilities, ChatMessage, ChatRequest};
use loquat_agent::consent::Person;
use loquat_agent::engine::find;
use loquat_agent::event::{Event, Observer};
use loquat_agent::grammar::Grammar;
use loquat_agent::journal::{Care, Entry, Journal, Unwritten, answer_on_record, replay};
use loquat_agent::record::{CallRecord, Record};
use loquat_agent::toolbox::{Arrivals, Toolbox};
use loquat_agent::turn::{Budget, Means, Question, Stopper, TurnCache, stop_pair};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::brain::{Meter, Script, Step};
use crate::tools::Tools;

/// Hears every event.
#[derive(Debug, Default)]
pub(crate) struct Ears(pub(crate) Mutex<Vec<Event>>, Mutex<Vec<Instant>>);

impl Observer for Ears {
    fn event(&self, event: &Event) {
        self.0.lock().unwrap().push(event.clone());
        self.1.lock().unwrap().push(Instant::now());
    }

    fn hears_answers(&self) -> bool {
        true
    }
}

/// A turn that is about to be played.
pub(crate) struct Stage {
    pub(crate) engine: &'static str,
    pub(crate) capabilities: Capabilities,
    pub(crate) replies: Vec<Step>,
    pub(crate) tools: Tools,
    pub(crate) budget: Budget,
    pub(crate) settings: Value,
    pub(crate) question: Question,
    /// Shared by the turns of a test that plays several.
    pub(crate) turn_cache: Arc<TurnCache>,
    pub(crate) person: Option<Arc<dyn Person>>,
    /// Says how the brain counts tokens, if it does.
    pub(crate) meter: Option<Meter>,
    /// The toolboxes that come while the turn runs.
    pub(crate) arrivals: Option<Arc<dyn Arrivals>>,
    /// Understands sentences without a brain.
    pub(crate) grammar: Option<Arc<dyn Grammar>>,
}

/// All that happened in a turn.
pub(crate) struct Played {
    pub(crate) record: Record,
    pub(crate) events: Vec<Event>,
    pub(crate) times: Vec<Instant>,
    pub(crate) requests: Vec<ChatRequest>,
    /// Tool and arguments of every call that reached a tool.
    pub(crate) ran: Vec<(String, Value)>,
    pub(crate) entries: Vec<Entry>,
}

/// Keeps what is written.
#[derive(Debug, Default)]
pub(crate) struct Notebook(Mutex<Vec<Entry>>);

impl Notebook {
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.0.lock().unwrap().clone()
    }
}

impl Journal for Notebook {
    fn write(&self, entry: Entry, _: Care) -> BoxFuture<'_, Result<(), Unwritten>> {
        self.0.lock().unwrap().push(entry);
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Stage {
    /// A ReAct turn over text.
    pub(crate) fn react(replies: impl IntoIterator<Item = Step>) -> Self {
        Self {
            engine: "ovos-react-loop",
            capabilities: Capabilities::default(),
            replies: replies.into_iter().collect(),
            tools: Tools::default(),
            budget: Budget::default(),
            settings: Value::Null,
            question: Question {
                turn_id: "turn-1".into(),
                session_id: "session-1".into(),
                utterance: "What is 2 plus 3?".into(),
                ..Question::default()
            },
            turn_cache: Arc::default(),
            person: None,
            meter: None,
            arrivals: None,
            grammar: None,
        }
    }

    /// A turn of any engine over text, with settings.
    pub(crate) fn of(engine: &'static str, settings: Value, replies: impl IntoIterator<Item = Step>) -> Self {
        Self {
            engine,
            settings,
            ..Self::react(replies)
        }
    }

    /// A play with these tools.
    pub(crate) fn with(
        self,
        tools: impl IntoIterator<Item = (loquat_agent::toolbox::Tool, crate::tools::Deed)>,
    ) -> Self {
        Self {
            tools: Tools::new(tools),
            ..self
        }
    }

    /// Gives it a small brain that can be held to a schema.
    pub(crate) fn constrained(self) -> Self {
        Self {
            capabilities: Capabilities {
                json_schema: true,
                small: true,
                ..Capabilities::default()
            },
            ..self
        }
    }

    /// A turn with native calls.
    pub(crate) fn native(replies: impl IntoIterator<Item = Step>) -> Self {
        Self {
            engine: "ovos-native-toolcall-loop",
            capabilities: Capabilities {
                native_tools: true,
                ..Capabilities::default()
            },
            ..Self::react(replies)
        }
    }

    /// A ReAct turn with a small brain that can be held to a schema.
    pub(crate) fn json(replies: impl IntoIterator<Item = Step>) -> Self {
        Self {
            capabilities: Capabilities {
                json_schema: true,
                small: true,
                ..Capabilities::default()
            },
            ..Self::react(replies)
        }
    }

    /// Plays the turn to its end and checks what holds for every turn.
    pub(crate) async fn play(self) -> Played {
        self.play_with(|_| {}).await
    }

    /// Plays, with something to do with the stopper before it starts.
    pub(crate) async fn play_with(self, prepare: impl FnOnce(Stopper)) -> Played {
        let (stopper, stop) = stop_pair();
        let brain =
            Arc::new(Script::new(self.capabilities, self.replies, stopper.clone()).with_meter(self.meter));
        let tools = Arc::new(self.tools.with_stopper(stopper.clone()));
        let ears = Arc::new(Ears::default());
        prepare(stopper);
        let toolbox: Arc<dyn Toolbox> = Arc::clone(&tools) as Arc<dyn Toolbox>;
        let means = Means {
            brain: Arc::clone(&brain) as Arc<dyn loquat_agent::brain::Brain>,
            toolboxes: if tools.is_empty() {
                Vec::new()
            } else {
                vec![toolbox]
            },
            arrivals: self.arrivals,
            grammar: self.grammar,
            budget: self.budget,
            settings: self.settings.as_object().cloned().unwrap_or_else(Map::new),
            observer: Arc::clone(&ears) as Arc<dyn Observer>,
            stop,
            turn_cache: self.turn_cache,
            person: self.person,
        };
        let engine = find(self.engine).expect("the engine is in the table");
        let notebook = Arc::new(Notebook::default());
        let journal = Arc::clone(&notebook) as Arc<dyn Journal>;
        let record = answer_on_record(engine, self.question, means, journal).await;
        let entries = notebook.entries();
        let again = replay(entries.clone(), Arc::new(()))
            .await
            .expect("it can be run again");
        assert_eq!(again.differences, Vec::<String>::new(), "the turn and its replay");
        assert_eq!(again.record, record);
        let events = ears.0.lock().unwrap().clone();
        let times = ears.1.lock().unwrap().clone();
        let requests = brain.requests();
        let ran = tools.ran();
        let played = Played {
            record,
            events,
            times,
            requests,
            ran,
            entries,
        };
        played.check_invariants();
        played
    }
}

impl Played {
    /// Checks that there is one end and one observation a call, in the record, in the events and in every request.
    fn check_invariants(&self) {
        let ends = self
            .events
            .iter()
            .filter(|event| matches!(event, Event::TurnEnded { .. }))
            .count();
        assert_eq!(ends, 1, "exactly one end");
        assert!(
            matches!(self.events.first(), Some(Event::TurnStarted { .. })),
            "the first event"
        );
        assert!(
            matches!(self.events.last(), Some(Event::TurnEnded { .. })),
            "the last event"
        );
        let mut ids = Vec::new();
        for call in self.calls() {
            assert!(
                !call.observation.is_empty(),
                "{} has no observation",
                call.call_id
            );
            assert!(!ids.contains(&call.call_id), "{} is not unique", call.call_id);
            ids.push(call.call_id.clone());
            let returned = |event: &&Event| matches!(event, Event::ToolReturned { call_id, .. } if *call_id == call.call_id);
            assert_eq!(
                self.events.iter().filter(returned).count(),
                1,
                "one return for {}",
                call.call_id
            );
            let called = |event: &&Event| matches!(event, Event::ToolCalled { call_id, .. } if *call_id == call.call_id);
            assert_eq!(
                self.events.iter().filter(called).count(),
                usize::from(call.executed),
                "{}",
                call.call_id
            );
        }
        for request in &self.requests {
            check_pairs(&request.messages);
        }
        let Some(Event::TurnEnded { answer, .. }) = self.events.last() else {
            panic!("the last event");
        };
        assert_eq!(self.told(), *answer, "the pieces of the answer, joined");
    }

    /// The pieces of the answer, joined, as a listener to nothing else hears them.
    pub(crate) fn told(&self) -> String {
        let mut told = String::new();
        for event in &self.events {
            match event {
                Event::AnswerDelta { text, .. } => told.push_str(text),
                Event::AnswerVoided { .. } => {
                    assert!(!told.is_empty(), "nothing was taken back");
                    told.clear();
                }
                _ => {}
            }
        }
        told
    }

    /// The pieces of the answer that were told before the last reply was complete.
    pub(crate) fn told_early(&self) -> Vec<&str> {
        let last = self
            .events
            .iter()
            .rposition(|event| matches!(event, Event::BrainReplied { .. }));
        let early = self.events.iter().take(last.unwrap_or_default());
        early
            .filter_map(|event| match event {
                Event::AnswerDelta { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    /// Gives the reason of its end and what is said.
    pub(crate) fn end(&self) -> (loquat_agent::record::Reason, &str) {
        (self.record.reason, &self.record.answer)
    }

    /// All that the brain was shown in the request with this number.
    pub(crate) fn shown(&self, index: usize) -> String {
        let texts = self.requests[index].messages.iter();
        texts
            .map(|message| message.content.as_str())
            .collect::<Vec<_>>()
            .join("\n")
    }

    pub(crate) fn calls(&self) -> Vec<&CallRecord> {
        self.record.steps.iter().flat_map(|step| &step.calls).collect()
    }

    /// The observation of the call with this number.
    pub(crate) fn seen(&self, index: usize) -> &str {
        &self.calls()[index].observation
    }

    /// The newest message of the last request.
    pub(crate) fn last_shown(&self) -> &str {
        &self
            .requests
            .last()
            .and_then(|request| request.messages.last())
            .expect("a request")
            .content
    }

    /// Tells whether an event is among those that happened.
    pub(crate) fn happened(&self, wanted: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(wanted)
    }
}

/// Every native call is answered once, right behind the message that made it, and nothing else is answered.
fn check_pairs(messages: &[Arc<ChatMessage>]) {
    let asked: Vec<&str> = messages
        .iter()
        .flat_map(|m| &m.tool_calls)
        .map(|call| call.id.as_str())
        .collect();
    let answered: Vec<&str> = messages
        .iter()
        .filter_map(|m| m.tool_call_id.as_deref())
        .collect();
    assert_eq!(asked, answered, "calls and their observations");
}

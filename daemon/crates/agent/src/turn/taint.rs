//! What strangers wrote marks a turn: from then on nothing is changed or sent without the person's yes, whatever the
//! persona trusts, unless its file names the tool. A mark lasts for the turn and all turns within it, and, beside what was
//! answered, for as long as that is shown as history.
//!
//! Before a marked turn tells a server anything but words of the person and words that a server brought, it asks too.
//! What an intent has understood is the person's own words and is not asked about. Numbers, a few words of state and
//! what the call itself said mark nothing; neither do plain names (the module `hands` decides that).

use std::sync::Arc;

use parking_lot::Mutex;

use super::ledger::Ledger;
use super::resources::Resources;
use crate::gate::{Admitted, Grounds, is_doubtful_when_tainted};
use crate::hands::{foreign_names, foreign_text};
use loquat_conversation::brain::Role;
use loquat_conversation::event::{Event, Observer};
use loquat_conversation::question::Question;
use loquat_conversation::toolbox::{Outcome, Tool, ToolError};

/// Such words in the history mark a turn under this name.
const HISTORY: &str = "history";

/// Says whose words a turn has taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    /// The turn has taken in no stranger's words.
    None,
    /// An earlier turn of the session has.
    Inherited,
    /// The turn has taken in words that this tool brought, as `toolbox/tool`.
    Taken(Arc<str>),
}

/// The mark of a turn and all turns within it. The lock is never held across an await.
#[derive(Debug)]
pub(super) struct Taint(Mutex<Mark>);

impl Taint {
    /// Tells how a turn with this question begins.
    pub(super) fn of(question: &Question) -> Self {
        let is_foreign = question.is_foreign || question.history.iter().any(|message| message.foreign);
        Self(Mutex::new(if is_foreign { Mark::Inherited } else { Mark::None }))
    }

    /// Tells whether the turn has taken in what strangers wrote.
    fn is_there(&self) -> bool {
        *self.0.lock() != Mark::None
    }

    /// Tells whether strangers' words may stand behind a call. Of one that was judged before they came, only behind
    /// what is handed on to it.
    pub(super) fn may_be_behind(&self, call: &Admitted) -> bool {
        self.is_there() && is_doubtful_when_tainted(&call.entry)
    }

    /// Tells that the turn began with strangers' words in its history.
    pub(super) fn tell_if_inherited(&self, observer: &dyn Observer) {
        if *self.0.lock() == Mark::Inherited {
            observer.event(&Event::Tainted {
                by: HISTORY.to_owned(),
            });
        }
    }

    /// Marks the turn, and tells it the first time.
    fn take(&self, call: &Admitted, observer: &dyn Observer) {
        let mut mark = self.0.lock();
        if matches!(*mark, Mark::Taken(_)) {
            return;
        }
        let tool = &call.entry.tool;
        let by: Arc<str> = format!("{}/{}", tool.toolbox_id, tool.name).into();
        *mark = Mark::Taken(Arc::clone(&by));
        drop(mark);
        observer.event(&Event::Tainted { by: by.to_string() });
    }

    /// Names the tool whose words marked the turn itself, for its record.
    pub(super) fn taken_by(&self) -> Option<String> {
        match &*self.0.lock() {
            Mark::Taken(by) => Some(by.to_string()),
            Mark::None | Mark::Inherited => None,
        }
    }
}

/// Gives what may be sent to a server in a marked turn: words of the person, and words that came from servers.
pub(super) fn sendable<'t>(resources: &'t Resources, ledger: &'t Ledger) -> Grounds<'t> {
    let history = resources.question.history.iter();
    let own = history.filter(|message| message.role == Role::User && !message.foreign);
    let is_of_server = |name: &str| {
        let entry = resources.catalogue.find(name);
        entry.is_some_and(|entry| entry.tool.sends)
    };
    let brought = ledger
        .calls()
        .filter(|call| call.executed && call.ok && is_of_server(&call.tool));
    let texts = std::iter::once(resources.shared.heard.said.as_str());
    let texts = texts.chain(own.map(|message| message.content.as_str()));
    Grounds::new(texts.chain(brought.map(|call| &*call.observation)).collect())
}

impl Resources {
    /// Marks the turn where a call's end brings strangers' words.
    pub(super) fn note_foreign_text(&self, call: &Admitted, outcome: &Result<Outcome, ToolError>) {
        let (tool, arguments) = (&call.entry.tool, &call.arguments);
        let is_foreign = match outcome {
            Ok(outcome) => {
                let mut sentences = outcome.answer.iter().chain(&outcome.spoken);
                outcome.is_foreign
                    || foreign_text::is_in_result(tool, arguments, &outcome.result)
                    || sentences.any(|sentence| foreign_text::is_in_sentence(tool, arguments, sentence))
                    || !self.are_plain(&outcome.names)
            }
            Err(error) => foreign_text::is_in_failure(tool, error) || self.is_named_by_others(error),
        };
        if is_foreign {
            self.shared.taint.take(call, &*self.observer);
        }
    }

    /// Marks the turn where what a call means could not be found, and the complaint holds more of others than names.
    pub(super) fn note_unresolved(&self, call: &Admitted, complaint: &ToolError) {
        if self.is_named_by_others(complaint) {
            self.shared.taint.take(call, &*self.observer);
        }
    }

    fn is_named_by_others(&self, complaint: &ToolError) -> bool {
        matches!(complaint, ToolError::Reply { names, .. } if !self.are_plain(names))
    }

    /// Tells whether what others have called things are names and nothing else.
    fn are_plain(&self, names: &[String]) -> bool {
        let does_something = |tool: &&Tool| !tool.read_only || tool.sends;
        let tools = self.catalogue.callable().iter().map(|entry| &entry.tool);
        let tools = tools.filter(does_something).map(|tool| tool.name.as_str());
        foreign_names::are_plain(names, &self.question.utterance, tools)
    }

    /// Tells whether the arguments of a call may be strangers' words. What an intent has understood is the person's
    /// own words, whatever was read before. What an undo is called with is not, nor what a brain has made of a stranger's words.
    pub(super) fn has_doubtful_arguments(&self) -> bool {
        let question = &self.question;
        let is_own = question.intended.as_ref().is_some_and(|call| {
            let is_restated = call.restated.is_some() && question.is_foreign;
            !call.undoes && !is_restated
        });
        self.shared.taint.is_there() && !is_own
    }
}

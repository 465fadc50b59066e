//! The port through which a turn asks the person before it does something that could do harm.
//!
//! The yes must come from the person and is good for just the calls that were asked about, with just these arguments. Nothing that a brain, a tool or
//! a peer sends counts as one; an implementation sees to that.

mod ahead;
mod particulars;

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use ahead::{AgreedAhead, AgreedCall};
pub use particulars::{Particular, Particulars, Spoken, Unsayable, particulars};

/// A call that waits for a yes.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The conversation in which to ask.
    pub session_id: String,
    /// The turn that waits.
    pub turn_id: String,
    /// The call that the yes is for.
    pub call_id: String,
    /// The toolbox has this id.
    pub toolbox_id: String,
    /// The name of the tool.
    pub tool: String,
    /// Says what the tool does, as it was declared.
    pub description: String,
    /// The arguments of the call, validated.
    pub arguments: Arc<Map<String, Value>>,
    /// Says what the call would do, where its arguments are no words for a person.
    pub told: Option<Arc<Map<String, Value>>>,
    /// Says whether a PIN has to come with the yes.
    pub pin: bool,
    /// The language to ask in, BCP-47.
    pub lang: Option<String>,
    /// Says whether the person was only nearly understood, so that they are asked whether they meant this.
    pub is_guess: bool,
    /// The sentence in which a brain has said again what was wanted, in that language, where the call comes of one.
    pub restated: Option<String>,
    /// The question in the tool's own words, in that language, where it has some for this call.
    pub wording: Option<String>,
    /// The whole question, where it is about more than the call: a sentence of ours, in that language.
    pub question: Option<String>,
}

impl Request {
    /// Gives what the person has to hear before they can say yes.
    pub fn told(&self) -> &Map<String, Value> {
        self.told.as_ref().unwrap_or(&self.arguments)
    }
}

/// The answer of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// The person said yes.
    Given,
    /// The person said no.
    Refused,
    /// There was silence, or the words were not clear. This counts as a no.
    Unclear,
    /// It could not be asked for here and now, and the person has been told why. Counts as a no.
    Barred,
}

/// The person, where one can be asked, for a tool that asks in the middle of a call.
#[derive(Clone, Default)]
pub struct Reachable(Option<Arc<dyn Person>>);

impl Reachable {
    /// This person can be asked.
    pub fn person(person: Arc<dyn Person>) -> Self {
        Self(Some(person))
    }

    /// The person, if there is one.
    pub fn get(&self) -> Option<&dyn Person> {
        self.0.as_deref()
    }
}

impl fmt::Debug for Reachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reachable").field(&self.0.is_some()).finish()
    }
}

/// The person who can be asked.
pub trait Person: Send + Sync {
    /// Asks aloud and waits for the answer, which has its own time limit. Dropping the future takes the question back.
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent>;

    /// Asks about calls of one step, together where that can be said in one question: the yes is then for all of these and
    /// for no other. Gives the answers in the order of the calls, and none for those behind one that got no yes.
    fn consents_to_all<'a>(&'a self, requests: &'a [Request]) -> BoxFuture<'a, Vec<Consent>> {
        Box::pin(async move {
            let mut answers = Vec::new();
            for request in requests {
                let consent = self.consents(request).await;
                answers.push(consent);
                if consent != Consent::Given {
                    break;
                }
            }
            answers
        })
    }
}

//! What a server asks the person in the middle of a call (elicitation): only what a yes or a no answers, once a call, and
//! only where the person of that call can be asked. All else is declined.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loquat_agent::consent::{Consent, Request, particulars};
use loquat_agent::toolbox::Circumstances;
use parking_lot::Mutex;
use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, PrimitiveSchemaDefinition,
};
use serde_json::{Map, Value};

use super::excerpt::shortened;

/// Characters of a question; a longer one cannot be kept in mind.
const LONGEST: usize = 300;

/// The calls of a connection that run now, each with the person who may be asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Questions(Arc<Mutex<Vec<Arc<Asking>>>>);

/// A call in the middle of which a person may be asked.
#[derive(Debug)]
pub(super) struct Asking {
    who: Circumstances,
    is_put: AtomicBool,
    /// Whether the question waits for its answer.
    is_open: AtomicBool,
}

/// The place of a call among those that run.
#[derive(Debug)]
pub(super) struct Running {
    all: Questions,
    pub(super) asking: Arc<Asking>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.all
            .0
            .lock()
            .retain(|other| !Arc::ptr_eq(other, &self.asking));
    }
}

impl Asking {
    /// Whether its question waits for its answer, so that the time of the call stands still.
    pub(super) fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }
}

impl Questions {
    /// Notes a call for as long as what is returned lives.
    pub(super) fn running(&self, who: Circumstances) -> Running {
        let asking = Arc::new(Asking {
            who,
            is_put: AtomicBool::default(),
            is_open: AtomicBool::default(),
        });
        self.0.lock().push(Arc::clone(&asking));
        Running {
            all: self.clone(),
            asking,
        }
    }

    /// Asks the person of the one call that runs. A server does not say which call its question belongs to, so with several
    /// none is asked.
    pub(super) async fn ask(&self, server: &str, question: ElicitRequestParams) -> ElicitResult {
        let declined = || ElicitResult::new(ElicitationAction::Decline);
        let ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema,
            ..
        } = question
        else {
            return declined();
        };
        let only = match self.0.lock().as_slice() {
            [only] => Arc::clone(only),
            _ => return declined(),
        };
        let (Some(form), Some(person)) = (yes(&requested_schema), only.who.person.get()) else {
            return declined();
        };
        let request = only.request(server, &message);
        let is_sayable = particulars(&request.tool, request.told()).is_ok();
        let fits = message.chars().count() <= LONGEST && is_sayable;
        if !fits || only.is_put.swap(true, Ordering::AcqRel) {
            return declined();
        }
        only.is_open.store(true, Ordering::Release);
        let consent = person.consents(&request).await;
        only.is_open.store(false, Ordering::Release);
        match consent {
            Consent::Given => {
                let mut accepted = ElicitResult::new(ElicitationAction::Accept);
                accepted.content = Some(Value::Object(form));
                accepted
            }
            Consent::Refused => declined(),
            Consent::Unclear | Consent::Barred => ElicitResult::new(ElicitationAction::Cancel),
        }
    }
}

impl Asking {
    fn request(&self, server: &str, message: &str) -> Request {
        let message = Value::String(shortened(message, LONGEST));
        Request {
            session_id: self.who.session_id.clone(),
            turn_id: self.who.turn_id.clone(),
            call_id: self.who.call_id.clone(),
            toolbox_id: format!("{}{server}", super::PREFIX),
            tool: format!("answer yes to {server}"),
            description: String::new(),
            arguments: Arc::new(Map::from_iter([("question".to_owned(), message)])),
            told: None,
            pin: false,
            lang: self.who.lang.clone(),
            is_guess: false,
            restated: None,
            wording: None,
            question: None,
        }
    }
}

/// The form as a yes fills it: nothing, or one switch. A form that needs more is not for a voice.
fn yes(schema: &ElicitationSchema) -> Option<Map<String, Value>> {
    let required = schema.required.as_deref().unwrap_or_default();
    let switches = schema
        .properties
        .iter()
        .filter(|(_, form)| matches!(form, PrimitiveSchemaDefinition::Boolean(_)));
    let switches: Vec<&String> = switches.map(|(name, _)| name).collect();
    let [switch] = switches.as_slice() else {
        return (switches.is_empty() && required.is_empty()).then(Map::new);
    };
    let is_enough = required.iter().all(|name| name == *switch);
    is_enough.then(|| Map::from_iter([((*switch).clone(), Value::Bool(true))]))
}

//! A yes that was given before its call: a person has agreed to exactly this call when they had it kept for later. Any other call
//! is asked about as always. Nothing here asks anybody.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Consent, Person, Request};

/// A call to which a person has said yes ahead of time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AgreedCall {
    /// The id of its toolbox.
    pub toolbox_id: String,
    /// The name of its tool.
    pub tool: String,
    /// All of its arguments, as they run.
    pub arguments: Map<String, Value>,
}

impl AgreedCall {
    /// Tells whether the yes is for this request. One that wants a PIN is never agreed to ahead.
    fn is_for(&self, request: &Request) -> bool {
        !request.pin
            && self.toolbox_id == request.toolbox_id
            && self.tool == request.tool
            && self.arguments == *request.arguments
    }
}

/// A person who has agreed to some calls ahead, to each of them once.
pub struct AgreedAhead {
    person: Arc<dyn Person>,
    left: Mutex<Vec<AgreedCall>>,
}

impl fmt::Debug for AgreedAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgreedAhead")
            .field(&self.left.lock().len())
            .finish()
    }
}

impl AgreedAhead {
    /// This person, who has agreed to these calls.
    pub fn new(person: Arc<dyn Person>, calls: Vec<AgreedCall>) -> Self {
        Self {
            person,
            left: Mutex::new(calls),
        }
    }

    /// Takes the yes for a request, if there is one left.
    fn take(&self, request: &Request) -> bool {
        let mut left = self.left.lock();
        let place = left.iter().position(|call| call.is_for(request));
        place.map(|place| left.swap_remove(place)).is_some()
    }
}

impl Person for AgreedAhead {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(async move {
            if self.take(request) {
                return Consent::Given;
            }
            self.person.consents(request).await
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Says no to everything.
    struct Refusing;

    impl Person for Refusing {
        fn consents<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Consent> {
            Box::pin(std::future::ready(Consent::Refused))
        }
    }

    fn arguments(door: &str) -> Map<String, Value> {
        Map::from_iter([("door".to_owned(), json!(door))])
    }

    fn request(tool: &str, door: &str, pin: bool) -> Request {
        Request {
            session_id: String::new(),
            turn_id: String::new(),
            call_id: String::new(),
            toolbox_id: "doors".to_owned(),
            tool: tool.to_owned(),
            description: String::new(),
            arguments: Arc::new(arguments(door)),
            told: None,
            pin,
            lang: None,
            is_guess: false,
            restated: None,
            wording: None,
            question: None,
        }
    }

    #[tokio::test]
    async fn a_yes_ahead_is_for_one_call_with_its_arguments_and_for_no_other() {
        let agreed = AgreedCall {
            toolbox_id: "doors".to_owned(),
            tool: "unlock".to_owned(),
            arguments: arguments("front"),
        };
        let person = AgreedAhead::new(Arc::new(Refusing), vec![agreed]);
        for other in [
            request("unlock", "back", false),
            request("open", "front", false),
            request("unlock", "front", true),
        ] {
            assert_eq!(person.consents(&other).await, Consent::Refused, "{other:?}");
        }
        let this = request("unlock", "front", false);
        assert_eq!(person.consents(&this).await, Consent::Given);
        assert_eq!(person.consents(&this).await, Consent::Refused, "it was for once");
    }
}

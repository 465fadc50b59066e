//! A turn in which the brain makes one call and a person says yes to it: shows what a tool can be brought to do when every
//! door in front of it stands open.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::target::Target;
use crate::brain::{Reply, Request, ScriptedBrain};
use crate::frame::Frame;
use crate::home::Home;
use crate::story::TESTER;
use crate::turn::{HANDLED, Utterance};
use crate::wait::PATIENCE;

/// With this word an errand begins, and nothing else does.
const WORD: &str = "Errand";

/// The call that the brain makes.
type Order = Arc<Mutex<Option<(String, Value)>>>;

/// The brain's orders.
#[derive(Debug)]
pub struct Errands(Order);

/// What came of a call.
#[derive(Debug, Clone)]
pub struct Told {
    /// All that the brain was shown, and all that was spoken.
    pub text: String,
    /// Whether the person was asked.
    pub asked: bool,
    /// Whether the turn has ended.
    pub ended: bool,
    /// Whether the tool ran and was content.
    pub done: bool,
}

impl Errands {
    /// Lets a client of the bus say yes, which the persons of these attacks are.
    pub fn prepare(home: &Home) {
        home.setting("desk.consent_from", "\"bus\"");
        home.setting("desk.consent_seconds", "20");
    }

    /// Takes the brain over.
    pub fn begin(brain: &ScriptedBrain) -> Self {
        let order = Order::default();
        let own = Arc::clone(&order);
        brain.decides(TESTER, move |request| decide(&own, request));
        Self(order)
    }

    /// Has the brain make this call in a session of its own, and says yes to it.
    pub async fn run(&self, target: &Target, number: usize, (tool, arguments): (&str, &Value)) -> Told {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((tool.to_owned(), arguments.clone()));
        let before = target.brain.requests(TESTER).len();
        let session = format!("errand-{number}");
        // No sentence of a skill takes this, as that of the home takes a name with a number behind it.
        let said = format!("{WORD} {number} is what I would like you to run for me now");
        let utterance = Utterance::new(&said).in_session(&session);
        let mark = utterance.enter(&target.probe).await;
        let asked = asked(target, (&session, mark), "Yes").await;
        let turn = utterance.try_end(&target.probe, mark).await;
        let shown = target.brain.requests(TESTER).into_iter().skip(before);
        let mut text: String = shown.map(|request| request.text()).collect();
        let frames = turn.as_ref().map(|turn| turn.frames.clone()).unwrap_or_default();
        text.extend(frames.iter().map(|frame| frame.data.to_string()));
        let result = frames.iter().find(|frame| frame.topic == "loquat.turn.result");
        Told {
            text,
            asked,
            ended: turn.is_some(),
            done: result.is_some_and(|result| result.data["results"][0]["success"] == true),
        }
    }
}

/// Makes one call for an errand, and gives an answer behind it. Other questions are for the other scripts.
fn decide(order: &Order, request: &Request) -> Option<Reply> {
    if !request.text().contains(WORD) {
        return None;
    }
    let order = order.lock().unwrap_or_else(PoisonError::into_inner).take();
    Some(match order {
        Some((tool, arguments)) => Reply::acts(&tool, &arguments),
        None => Reply::answers("Done."),
    })
}

/// Waits until the person of a session is asked, who then says this, or its turn ends. Tells which of them it was.
pub async fn asked(target: &Target, (session, mark): (&str, usize), reply: &str) -> bool {
    let is_news = |frame: &Frame| {
        let asks = frame.topic == "speak" && frame.data["expect_response"] == true;
        frame.session_id() == session && (asks || frame.topic == HANDLED)
    };
    let news = target.probe.try_wait(mark, PATIENCE, is_news).await;
    let asked = news.is_some_and(|news| news.topic != HANDLED);
    if asked {
        Utterance::new(reply)
            .in_session(session)
            .enter(&target.probe)
            .await;
    }
    asked
}

/// Makes a call over the bus, and gives what was answered, as text.
pub async fn over_the_bus(target: &Target, toolbox: &str, (tool, arguments): (&str, &Value)) -> String {
    let call = json!({"toolbox_id": toolbox, "name": tool, "kwargs": arguments});
    let answer = target.probe.request("ovos.persona.tools.call", &call).await;
    answer.data.to_string()
}

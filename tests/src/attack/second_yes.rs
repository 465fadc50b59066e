//! A yes to one question that wants to be one to the next: said twice, in other words, behind forged signs that the next one
//! was heard, or within a second wish of the same turn.

use serde_json::{Value, json};

use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::brain::{Reply, Request};
use crate::frame::Frame;
use crate::story::TESTER;
use crate::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use crate::turn::Utterance;
use crate::wait::PATIENCE;

const MAILS: &str = "mail-tools";

/// With this word a wish begins that sends two mails.
const WISH: &str = "Post the letters";

/// The mail that the person has not agreed to.
const SECOND: &str = "all my money to Mallory";

/// What is said to the second question, which wants its number.
const WAYS: [(&str, &[&str]); 24] = [
    ("the same word", &["yes"]),
    ("the same word, many times", &["yes"; 12]),
    ("a politer one", &["yes please"]),
    ("another plain one", &["sure"]),
    ("an order", &["go ahead"]),
    ("two of them", &["of course", "do it"]),
    ("one that is no plain yes", &["okay"]),
    ("two that are no plain yes", &["okay", "fine"]),
    ("one that is none and one that is", &["okay", "yes"]),
    ("a yes in a sentence", &["yes, that's right"]),
    ("a name before it", &["Loquat, yes"]),
    ("the number of the first question", &["number one"]),
    ("its digit", &["1"]),
    ("another number", &["yes, number three"]),
    ("two numbers", &["number one two"]),
    ("a number in a sentence", &["send two of them"]),
    ("a PIN", &["2222"]),
    ("a time", &["at two o'clock"]),
    ("a number of another language", &["nummer zwei"]),
    ("a yes of another language", &["ja", "oui", "sí"]),
    ("a yes without a sound", &["yes\u{200b}"]),
    ("a thumb", &["👍"]),
    ("a long one", &["yes yes yes yes yes yes yes yes yes yes yes yes"]),
    ("a yes and a no", &["yes, no"]),
];

/// Frames before what is said.
const SIGNS: [&str; 4] = [
    "nothing",
    "the end of a voice",
    "a voice and its end",
    "a beginning long after",
];

/// Tries each way behind each sign.
pub async fn attack(scale: Scale) -> Row {
    let target = Target::begin(|tester, home| {
        home.setting("desk.history_turns", "0");
        home.setting("desk.consent_from", "\"bus\"");
        home.setting("desk.consent_seconds", "20");
        // Trusted, and asked about all the same: the turn goes on behind it.
        let trusted = json!({"trust": "safe", "confirm": "ask"});
        tester.toolboxes(&[MAILS]).setting(MAILS, trusted)
    })
    .await;
    let tool = ScriptedTool::named("send_mail", Act::Returns(json!({"text": "sent"})));
    let mails = ScriptedToolbox::join(target.home.port(), MAILS, vec![tool]).await;
    target.brain.decides(TESTER, decide);
    target.brain.whenever(TESTER, "", Reply::answers("Done."));
    let mut row = Row::default();
    let mut tries = Vec::new();
    for (name, words) in WAYS {
        tries.extend(SIGNS.map(|sign| (name, words, sign)));
    }
    let mut question = None;
    for (number, (name, words, sign)) in tries.into_iter().enumerate().step_by(scale.every) {
        row.count += 1;
        let session = format!("letters-{number}");
        let before = mails.calls().len();
        let wish = Utterance::new(WISH).in_session(&session);
        let mark = wish.enter(&target.probe).await;
        row.demand(ask_twice(&target, &session, mark).await, || {
            format!("nobody was asked twice before {name}")
        });
        for word in words {
            send_sign(&target, &session, sign).await;
            let said = Utterance::new(word).in_session(&session);
            let said = said.context("loquat_began_ms", json!(0));
            said.enter(&target.probe).await;
        }
        row.demand(target.is_through().await, || {
            format!("the daemon did not get through {name}")
        });
        Utterance::new("No")
            .in_session(&session)
            .enter(&target.probe)
            .await;
        wish.try_end(&target.probe, mark).await;
        let sent = sent(&mails, before);
        row.demand(sent == 1, || {
            format!("{sent} mails were sent by {name} behind {sign}")
        });
        if question.is_none() {
            question = target.ask().await;
        }
    }
    let before = mails.calls().len();
    let wish = Utterance::new(WISH).in_session("control");
    let mark = wish.enter(&target.probe).await;
    ask_twice(&target, "control", mark).await;
    let number = Utterance::new("Number two").in_session("control");
    number.enter(&target.probe).await;
    wish.try_end(&target.probe, mark).await;
    row.demand(sent(&mails, before) == 2, || {
        "the number of the second question did not send it".into()
    });
    row.seen = format!("{} tries, of {} ways", row.count, WAYS.len());
    target.judged(row, question).await
}

/// Sends one mail, then another, then an answer.
fn decide(request: &Request) -> Option<Reply> {
    let text = request.text();
    if !text.contains(WISH) {
        return None;
    }
    let seen = |mail: &str| text.contains(mail);
    Some(match (seen("to Mum"), seen(SECOND)) {
        (false, _) => Reply::acts("send_mail", &json!({"text": "to Mum"})),
        (true, false) => Reply::acts("send_mail", &json!({"text": SECOND})),
        (true, true) => Reply::answers("That is all."),
    })
}

/// Has the person asked about both mails; the first gets its yes. Whether that came about.
async fn ask_twice(target: &Target, session: &str, mark: usize) -> bool {
    let first = next_question(target, session, (mark, "to Mum")).await;
    let yes = Utterance::new("Yes").in_session(session);
    yes.enter(&target.probe).await;
    first && next_question(target, session, (mark, SECOND)).await
}

async fn next_question(target: &Target, session: &str, (mark, about): (usize, &str)) -> bool {
    let is_it = |frame: &Frame| {
        let asks = frame.topic == "speak" && frame.data["expect_response"] == true;
        frame.session_id() == session && asks && frame.utterance().contains(about)
    };
    target.probe.try_wait(mark, PATIENCE, is_it).await.is_some()
}

async fn send_sign(target: &Target, session: &str, sign: &str) {
    match sign {
        "the end of a voice" => target.probe.speaks(session, false).await,
        "a voice and its end" => {
            target.probe.speaks(session, true).await;
            target.probe.speaks(session, false).await;
        }
        "a beginning long after" => {
            let word: Value = json!({"type": "recognizer_loop:record_begin", "data": {},
                                     "context": {"session": {"session_id": session}}});
            target.probe.send(&word).await;
        }
        _ => {}
    }
}

fn sent(mails: &ScriptedToolbox, before: usize) -> usize {
    mails.calls().len() - before
}

//! A yes is for a question that was heard: it counts behind the question alone, once, and for just what was asked. And no
//! argument bends what is asked.

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

const MAILS: &str = "mail-tools";

fn is_question(frame: &Frame) -> bool {
    frame.topic == "speak" && frame.data["expect_response"] == true
}

fn mail(text: &str) -> Value {
    json!({"text": text})
}

/// Calls of one step.
fn calls(texts: &[&str]) -> Reply {
    let call = |(number, text): (usize, &&str)| {
        let id = format!("call_{number}");
        (id, "send_mail".to_owned(), mail(text).to_string())
    };
    Reply {
        tool_calls: texts.iter().enumerate().map(call).collect(),
        ..Reply::default()
    }
}

/// A daemon that sends mails when it is told so; a client of the bus is its person.
async fn with_mails(persona: impl FnOnce(&Scene) -> Persona) -> (Story, ScriptedToolbox) {
    let scene = Scene::default();
    scene.home.setting("desk.consent_from", "\"bus\"");
    let persona = persona(&scene).toolboxes(&[MAILS]);
    let story = scene.play(&persona).await;
    let tool = ScriptedTool::named("send_mail", Act::Returns(mail("sent")));
    let mails = ScriptedToolbox::join(story.home.port(), MAILS, vec![tool]).await;
    (story, mails)
}

/// Trusted, and asked about all the same: a turn goes on behind it.
fn trusted() -> Value {
    json!({"trust": "safe", "confirm": "ask"})
}

fn native(scene: &Scene) -> Persona {
    Persona::native(TESTER, &scene.brain.url(TESTER)).setting(MAILS, trusted())
}

fn react(scene: &Scene) -> Persona {
    scene.tester().setting(MAILS, trusted())
}

/// What was sent.
fn sent(mails: &ScriptedToolbox) -> Vec<String> {
    let calls = mails.calls().into_iter();
    calls
        .map(|call| call.arguments["text"].as_str().unwrap_or_default().to_owned())
        .collect()
}

async fn question(story: &Story, mark: usize) -> String {
    let asked = story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    asked.utterance().to_owned()
}

/// Says this, and waits for what is asked then.
async fn says(story: &Story, words: &str) -> String {
    let mark = story.probe.mark();
    Utterance::new(words).enter(&story.probe).await;
    question(story, mark).await
}

/// Says this, which is taken without a word.
async fn taken(story: &Story, words: &str) {
    let turn = Utterance::new(words).ask(&story.probe).await;
    assert_eq!(
        (turn.spoken().len(), turn.ends()),
        (0, 1),
        "{words}: {:?}",
        turn.topics()
    );
}

#[tokio::test]
async fn what_one_step_wants_is_asked_in_one_question() {
    let (story, mails) = with_mails(native).await;
    for (answer, count) in [("Yes", 2), ("No", 2)] {
        story.script([calls(&["to Mum", "to Dad"]), Reply::says("That is all.")]);
        let wish = Utterance::new("Send the mails");
        let mark = wish.enter(&story.probe).await;
        assert_eq!(
            question(&story, mark).await,
            "Shall I do these 2 things: send mail, text: to Mum, send mail, and send mail, text: to Dad, send mail?"
        );
        taken(&story, answer).await;
        let turn = wish.end(&story.probe, mark).await;
        assert_eq!(turn.frames.iter().filter(|frame| is_question(frame)).count(), 1);
        assert_eq!(sent(&mails).len(), count, "{answer}");
    }
    assert_eq!(sent(&mails), ["to Mum", "to Dad"]);
}

#[tokio::test]
async fn what_is_too_much_for_one_question_wants_another_word() {
    let (story, mails) = with_mails(native).await;
    let long = "a ".repeat(150);
    story.script([
        calls(&["one", "two", "three", "four", &long]),
        Reply::says("That is all."),
    ]);
    let wish = Utterance::new("Send the mails");
    let mark = wish.enter(&story.probe).await;
    assert!(
        question(&story, mark)
            .await
            .starts_with("Shall I do these 3 things: ")
    );
    let second = says(&story, "Yes, please").await;
    assert!(
        second.starts_with("And shall I do this: send mail, text: four, "),
        "{second}"
    );
    assert!(second.ends_with("If so, please say: number 2."), "{second}");
    taken(&story, "Number two, please.").await;
    let turn = wish.end(&story.probe, mark).await;
    assert_eq!(turn.ends(), 1);
    assert_eq!(sent(&mails).len(), 5, "{:?}", sent(&mails));
}

/// A tool that the owner has not trusted ends its turn, but not before all that was agreed to.
#[tokio::test]
async fn what_was_agreed_to_together_runs_together() {
    let (story, mails) = with_mails(|scene| native(scene).setting(MAILS, json!({}))).await;
    story.script([calls(&["to Mum", "to Dad"]), Reply::says("That is all.")]);
    let wish = Utterance::new("Send the mails");
    let mark = wish.enter(&story.probe).await;
    question(&story, mark).await;
    taken(&story, "Yes").await;
    wish.end(&story.probe, mark).await;
    assert_eq!(sent(&mails), ["to Mum", "to Dad"]);
}

/// Two steps, each with a question of its own; the first has got its yes.
async fn at_the_second_question() -> (Story, ScriptedToolbox, Utterance, usize) {
    let (story, mails) = with_mails(react).await;
    story.script([
        Reply::acts("send_mail", &mail("to Mum")),
        Reply::acts("send_mail", &mail("the door code to Mallory")),
        Reply::answers("That is all."),
    ]);
    let wish = Utterance::new("Send the mails");
    let mark = wish.enter(&story.probe).await;
    question(&story, mark).await;
    let second = says(&story, "Yes").await;
    assert!(
        second.contains("Mallory") && second.ends_with("number 2."),
        "{second}"
    );
    (story, mails, wish, mark)
}

#[tokio::test]
async fn a_yes_that_is_said_twice_answers_no_second_question() {
    let (story, mails, wish, mark) = at_the_second_question().await;
    for words in ["Yes", "Yes, please", "Sure", "Yes"] {
        taken(&story, words).await;
    }
    assert_eq!(sent(&mails), ["to Mum"]);
    taken(&story, "No").await;
    wish.end(&story.probe, mark).await;
    assert_eq!(sent(&mails), ["to Mum"]);
}

#[tokio::test]
async fn a_plain_yes_to_a_second_question_is_asked_about_once_more_and_is_then_a_no() {
    let (story, mails, wish, mark) = at_the_second_question().await;
    let again = says(&story, "Okay, number three").await;
    assert!(
        again.starts_with("I did not understand. Shall I do this: "),
        "{again}"
    );
    assert!(again.ends_with("say: number 2. If not, say no."), "{again}");
    taken(&story, "Yes, do it").await;
    wish.end(&story.probe, mark).await;
    assert_eq!(sent(&mails), ["to Mum"]);
    assert_eq!(story.reasons(1).await, ["ConfirmationDenied"]);
}

#[tokio::test]
async fn the_number_of_the_second_question_is_its_yes() {
    for words in ["Number two", "number 2, please", "Yes, two.", "Yes, number 2!"] {
        let (story, mails, wish, mark) = at_the_second_question().await;
        taken(&story, words).await;
        wish.end(&story.probe, mark).await;
        assert_eq!(sent(&mails).len(), 2, "{words}");
    }
}

#[tokio::test]
async fn a_yes_counts_that_was_said_when_the_question_had_been_spoken() {
    let (story, mails) = with_mails(react).await;
    story.probe.speak_questions(false);
    story.script([
        Reply::acts("send_mail", &mail("to Mum")),
        Reply::answers("That is all."),
    ]);
    let wish = Utterance::new("Send the mail");
    let mark = wish.enter(&story.probe).await;
    question(&story, mark).await;
    taken(&story, "Yes").await;
    story.probe.speaks("probe", true).await;
    taken(&story, "Yes, please").await;
    // Another person's voice, in another session.
    story.probe.speaks("kitchen", true).await;
    story.probe.speaks("kitchen", false).await;
    taken(&story, "Yes, go ahead").await;
    story.probe.speaks("probe", false).await;
    // A voice behind the question, which may be the one that says yes.
    story.probe.speaks("probe", true).await;
    taken(&story, "Sure").await;
    assert!(mails.calls().is_empty());
    story.probe.speaks("probe", false).await;
    taken(&story, "Yes").await;
    wish.end(&story.probe, mark).await;
    assert_eq!(sent(&mails), ["to Mum"]);
}

#[tokio::test]
async fn a_no_counts_at_any_time() {
    let (story, mails) = with_mails(react).await;
    story.probe.speak_questions(false);
    story.script([
        Reply::acts("send_mail", &mail("to Mum")),
        Reply::answers("All right."),
    ]);
    let wish = Utterance::new("Send the mail");
    let mark = wish.enter(&story.probe).await;
    question(&story, mark).await;
    story.probe.speaks("probe", true).await;
    taken(&story, "No").await;
    assert_eq!(wish.end(&story.probe, mark).await.ends(), 1);
    assert!(mails.calls().is_empty());
}

#[tokio::test]
async fn a_question_that_was_hushed_is_asked_again() {
    let (story, mails) = with_mails(react).await;
    story.script([
        Reply::acts("send_mail", &mail("to Mum and the door code to Mallory")),
        Reply::answers("That is all."),
    ]);
    let wish = Utterance::new("Send the mail");
    let mark = wish.enter(&story.probe).await;
    let asked = question(&story, mark).await;
    let heard = json!({"utterance": asked, "heard": "Shall I do this: send mail, text: to Mum"});
    let context = json!({"session": {"session_id": "probe"}});
    let hushed = json!({"type": "loquat.speech.interrupted", "data": heard, "context": context});
    story.probe.send(&hushed).await;
    let again = says(&story, "Yes").await;
    assert!(again.starts_with("I did not understand. "), "{again}");
    taken(&story, "No").await;
    wish.end(&story.probe, mark).await;
    assert!(mails.calls().is_empty());
}

#[tokio::test]
async fn no_argument_bends_the_question() {
    let (story, mails) = with_mails(react).await;
    for (text, told) in [
        (
            "hello? Never mind, I have left it. Shall I play some music",
            "hello, Never mind, I have left it, Shall I play some music",
        ),
        ("Fine! Done… And now；yes？", "Fine, Done, And now, yes"),
        ("¿Qué? ¡Ya! هل؟ क्या।", "Qué, Ya, هل, क्या"),
        ("see b.txt at 3.30", "see b.txt at 3.30"),
    ] {
        story.script([Reply::acts("send_mail", &mail(text)), Reply::answers("No, then.")]);
        let wish = Utterance::new("Send it");
        let mark = wish.enter(&story.probe).await;
        let asked = question(&story, mark).await;
        assert_eq!(
            asked,
            format!("Shall I do this: send mail, text: {told}, send mail?")
        );
        taken(&story, "No").await;
        wish.end(&story.probe, mark).await;
    }
    for text in [
        "thanks<prosody volume='silent'> and the door code 4711</prosody>",
        "thanks &lt;break/&gt;",
        "thanks ＜break＞",
        "thanks [[ ]] 4711",
        "thanks \\vol=0\\ 4711",
        "𝐌𝐮𝐦",
    ] {
        story.script([Reply::acts("send_mail", &mail(text)), Reply::answers("Not so.")]);
        let turn = story.ask("Send it").await;
        assert_eq!(turn.answer(), "Not so.", "{text}");
        assert!(!turn.frames.iter().any(is_question), "{text}");
    }
    assert!(mails.calls().is_empty());
}

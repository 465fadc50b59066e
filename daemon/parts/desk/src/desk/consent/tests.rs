//! Which words are taken for the answer to a question, and whose.

use loquat_agent::turn::stop_pair;
use loquat_mind::ReadyPersona;
use loquat_wire::Session;
use secrecy::ExposeSecret;
use tokio::sync::oneshot;

use super::*;

fn said(text: &str) -> Message {
    let mut message = Message::new("x", json!({"utterances": [text]}));
    message.context.set_session(&Session::named("kitchen"));
    message
}

fn speaker(own: bool) -> Voice {
    Voice { own, source: None }
}

/// What the kitchen's turn has asked, and what it hears.
struct Asking {
    questions: Questions,
    utterances: Utterances,
}

impl Asking {
    fn takes(&mut self, words: &Message, saying: Saying, speaker: &Voice) -> bool {
        self.questions
            .takes(&mut self.utterances, words, "en-US", saying, speaker)
    }

    /// The question has been spoken.
    fn is_spoken(&mut self) {
        for begins in [true, false] {
            self.questions.speech(&mut self.utterances, "kitchen", begins);
        }
    }

    fn takes_from_core(&mut self, words: &Message) -> bool {
        self.questions
            .takes_from_core(&mut self.utterances, words, "en-US")
    }

    fn overhear(&mut self, words: &Message, speaker: &Voice) {
        self.questions
            .overhear(&mut self.utterances, words, "en-US", now(), speaker);
    }

    fn is_open(&self) -> bool {
        self.utterances.is_asking("kitchen")
    }
}

/// A question that has been spoken.
fn asked(by: Answerer, wanted: Wanted) -> (Asking, oneshot::Receiver<Answer>) {
    let (mut asking, heard) = put(by, wanted);
    asking.is_spoken();
    (asking, heard)
}

fn put(by: Answerer, wanted: Wanted) -> (Asking, oneshot::Receiver<Answer>) {
    let (_attended, attends) = watch::channel(Attendance::Here);
    let mut questions = Questions::new(&ConsentRules {
        from: ConsentFrom::Own,
        patience: Duration::from_secs(60),
        pin: None,
        attendance: attends,
        names: vec!["Loquat".to_owned()],
    });
    let (answer, heard) = oneshot::channel();
    let question = OpenQuestion {
        answer,
        reception: questions.reception(
            "kitchen",
            "Shall I do this: unlock door?",
            Duration::from_secs(60),
            watch::channel(Instant::now()).0,
        ),
        by,
        wanted,
        names: questions.rules.names.clone(),
        heard: None,
        is_told: false,
    };
    let mut utterances = Utterances::default();
    let persona = Arc::new(ReadyPersona::apologising(String::new()));
    let job = Job::new(Origin::Solo, said("Open"), persona, "Open".to_owned(), "en-US");
    utterances.began(job, stop_pair().0);
    if wanted == Wanted::Pin {
        questions.pin_was_asked_for("kitchen");
    }
    utterances.ask("kitchen", question);
    let asking = Asking {
        questions,
        utterances,
    };
    (asking, heard)
}

fn now() -> Saying {
    at(Instant::now())
}

fn at(began: Instant) -> Saying {
    Saying {
        began,
        is_typed: false,
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_said_before_the_question_is_not_its_answer() {
    let before = Instant::now();
    tokio::time::advance(Duration::from_secs(1)).await;
    let (mut questions, mut heard) = put(Answerer::Own, Wanted::Yes);
    let other = said("What time is it?");
    assert!(!questions.takes(&other, at(before), &speaker(true)));
    assert!(questions.is_open(), "it was said to something else");
    let early = questions.takes(&said("Yes"), at(before), &speaker(true));
    assert!(early, "an answer that does not count goes nowhere");
    assert!(questions.is_open() && heard.try_recv().is_err());
    questions.is_spoken();
    assert!(questions.takes(&said("Yes"), at(before), &speaker(true)));
    assert!(
        matches!(heard.await.unwrap(), Answer::Unclear),
        "it is asked again"
    );

    let (mut questions, heard) = put(Answerer::Own, Wanted::Yes);
    assert!(questions.takes(&said("No"), now(), &speaker(true)));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Refused)));
}

#[tokio::test]
async fn a_core_may_bring_only_what_was_heard() {
    let (mut questions, heard) = asked(Answerer::Own, Wanted::Yes);
    assert!(!questions.takes_from_core(&said("Yes")), "nobody spoke");
    questions.overhear(&said("Yes"), &speaker(false));
    assert!(!questions.takes_from_core(&said("Yes")), "somebody else spoke");
    questions.overhear(&said("No"), &speaker(true));
    assert!(!questions.takes_from_core(&said("Yes")), "it was a no");
    assert!(questions.takes_from_core(&said("no, thanks")));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Refused)));
}

#[tokio::test]
async fn what_others_say_neither_answers_nor_ends_a_question() {
    let (mut questions, mut heard) = asked(Answerer::Own, Wanted::Yes);
    for words in ["Yes", "Okay", "What time is it?"] {
        assert!(!questions.takes(&said(words), now(), &speaker(false)), "{words}");
        assert!(questions.is_open() && heard.try_recv().is_err(), "{words}");
    }
    assert!(questions.takes(&said("Yes, Loquat"), now(), &speaker(true)));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Given)));

    let (mut questions, heard) = asked(Answerer::Own, Wanted::Yes);
    assert!(
        questions.takes(&said("No"), now(), &speaker(false)),
        "a no harms nobody"
    );
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Refused)));
}

#[tokio::test]
async fn in_a_session_of_somebody_else_s_only_that_client_answers() {
    let satellite = || Voice {
        own: false,
        source: Some("satellite".to_owned()),
    };
    let (mut questions, heard) = asked(Answerer::Source(satellite().source), Wanted::Yes);
    assert!(!questions.takes(&said("Yes"), now(), &speaker(false)));
    assert!(questions.takes(&said("Yes"), now(), &satellite()));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Given)));
}

#[tokio::test(start_paused = true)]
async fn a_pin_is_an_answer_only_where_one_is_asked_for_and_goes_nowhere_when_it_is_late() {
    let (mut questions, heard) = asked(Answerer::Own, Wanted::Pin);
    assert!(
        questions.takes(&said("Yes."), now(), &speaker(true)),
        "a yes is not enough"
    );
    assert!(matches!(heard.await.unwrap(), Answer::Unclear));
    let late = said("One, two, three, four, please.");
    assert!(
        questions.takes(&late, now(), &speaker(true)),
        "it is kept from the brain"
    );
    assert!(!questions.takes(&said("What time is it?"), now(), &speaker(true)));
    tokio::time::advance(LATE_PIN).await;
    assert!(!questions.takes(&late, now(), &speaker(true)));

    let (mut questions, heard) = asked(Answerer::Own, Wanted::Pin);
    assert!(questions.takes(&late, now(), &speaker(true)));
    match heard.await.unwrap() {
        Answer::Pin(pin, _) => assert_eq!(pin.expose_secret(), "1234"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_answer_again_is_an_echo_for_a_while() {
    let (mut questions, heard) = asked(Answerer::Own, Wanted::Yes);
    assert!(questions.takes(&said("Yes"), now(), &speaker(true)));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Given)));
    assert!(
        questions.takes(&said("Yes"), now(), &speaker(true)),
        "it goes nowhere"
    );
    assert!(
        !questions.takes(&said("Yes, please"), now(), &speaker(true)),
        "other words are said anew"
    );
    tokio::time::advance(ECHO).await;
    assert!(!questions.takes(&said("Yes"), now(), &speaker(true)));
}

#[tokio::test(start_paused = true)]
async fn a_further_question_wants_its_number() {
    for (words, answer) in [
        ("Number two", Some(true)),
        ("Yes, number 2, please", Some(true)),
        ("Yes", Some(false)),
        ("Number three", Some(false)),
        ("What time is it?", None),
    ] {
        let (mut questions, heard) = asked(Answerer::Own, Wanted::Number(2));
        let takes = questions.takes(&said(words), now(), &speaker(true));
        assert_eq!(takes, answer.is_some(), "{words}");
        let told = heard.await.unwrap();
        let is_given = matches!(told, Answer::Consent(Consent::Given));
        let is_unclear = matches!(told, Answer::Unclear);
        assert_eq!(
            (is_given, is_unclear),
            (answer == Some(true), answer == Some(false)),
            "{words}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_core_brings_counts_only_if_it_was_said_when_the_question_had_been_heard() {
    let (mut questions, mut heard) = put(Answerer::Own, Wanted::Yes);
    questions.overhear(&said("Yes"), &speaker(true));
    assert!(questions.takes_from_core(&said("Yes")), "it goes nowhere");
    assert!(questions.is_open() && heard.try_recv().is_err());
    questions.is_spoken();
    questions.overhear(&said("Yes"), &speaker(true));
    assert!(questions.takes_from_core(&said("yes")));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Given)));
}

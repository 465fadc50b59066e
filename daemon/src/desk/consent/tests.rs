//! Which words are taken for the answer to a question, and whose.

use loquat_agent::turn::stop_pair;
use loquat_wire::Session;

use super::*;
use crate::mind::ReadyPersona;

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
    fn takes(&mut self, words: &Message, said: (&str, Instant), speaker: &Voice) -> bool {
        self.questions.takes(&mut self.utterances, words, said, speaker)
    }

    fn takes_from_core(&mut self, words: &Message) -> bool {
        self.questions
            .takes_from_core(&mut self.utterances, words, "en-US")
    }

    fn overhear(&mut self, words: &Message, speaker: &Voice) {
        Questions::overhear(&mut self.utterances, words, "en-US", speaker);
    }

    fn is_open(&self) -> bool {
        self.utterances.is_asking("kitchen")
    }
}

fn asked(by: Answerer, pin: bool) -> (Asking, oneshot::Receiver<Answer>) {
    let (_attended, attends) = watch::channel(true);
    let mut questions = Questions::new(&ConsentRules {
        from: ConsentFrom::Own,
        patience: Duration::from_secs(60),
        pin: None,
        attended: attends,
        names: vec!["Loquat".to_owned()],
    });
    let (answer, heard) = oneshot::channel();
    let question = OpenQuestion {
        answer,
        since: Instant::now(),
        by,
        pin,
        names: questions.rules.names.clone(),
        heard: None,
        is_told: false,
    };
    let mut utterances = Utterances::default();
    let persona = Arc::new(ReadyPersona::apologising(String::new()));
    let job = Job::new(Origin::Solo, said("Open"), persona, ("Open".to_owned(), "en-US"));
    utterances.began(job, stop_pair().0);
    if pin {
        questions.pin_was_asked_for("kitchen");
    }
    utterances.ask("kitchen", question);
    let asking = Asking {
        questions,
        utterances,
    };
    (asking, heard)
}

fn now() -> (&'static str, Instant) {
    ("en-US", Instant::now())
}

#[tokio::test(start_paused = true)]
async fn what_was_said_before_the_question_is_not_its_answer() {
    let before = Instant::now();
    tokio::time::advance(Duration::from_secs(1)).await;
    let (mut questions, mut heard) = asked(Answerer::Own, false);
    assert!(!questions.takes(&said("Yes"), ("en-US", before), &speaker(true)));
    assert!(questions.is_open() && heard.try_recv().is_err());
    assert!(questions.takes(&said("No"), now(), &speaker(true)));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Refused)));
}

#[tokio::test]
async fn a_core_may_bring_only_what_was_heard() {
    let (mut questions, heard) = asked(Answerer::Own, false);
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
    let (mut questions, mut heard) = asked(Answerer::Own, false);
    for words in ["Yes", "Okay", "What time is it?"] {
        assert!(!questions.takes(&said(words), now(), &speaker(false)), "{words}");
        assert!(questions.is_open() && heard.try_recv().is_err(), "{words}");
    }
    assert!(questions.takes(&said("Yes, Loquat"), now(), &speaker(true)));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Given)));

    let (mut questions, heard) = asked(Answerer::Own, false);
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
    let (mut questions, heard) = asked(Answerer::Source(satellite().source), false);
    assert!(!questions.takes(&said("Yes"), now(), &speaker(false)));
    assert!(questions.takes(&said("Yes"), now(), &satellite()));
    assert!(matches!(heard.await.unwrap(), Answer::Consent(Consent::Given)));
}

#[tokio::test(start_paused = true)]
async fn a_pin_is_an_answer_only_where_one_is_asked_for_and_goes_nowhere_when_it_is_late() {
    let (mut questions, heard) = asked(Answerer::Own, true);
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

    let (mut questions, heard) = asked(Answerer::Own, true);
    assert!(questions.takes(&late, now(), &speaker(true)));
    match heard.await.unwrap() {
        Answer::Pin(pin) => assert_eq!(pin.expose_secret(), "1234"),
        other => panic!("{other:?}"),
    }
}

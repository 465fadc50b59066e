//! Which intent wins, and who is asked as a fallback.

use loquat_sentences::words::words;
use loquat_wire::Session;

use super::super::effort::Effort;
use super::super::keyword::{Keyword, KeywordIntent, Samples};
use super::*;

fn key(skill: &str, intent: &str, lang: &str) -> IntentKey {
    IntentKey {
        skill_id: skill.into(),
        intent_name: intent.into(),
        lang: lang.into(),
        session_id: "default".into(),
    }
}

fn templates(samples: &[&str]) -> Means {
    Means::templates(
        samples.iter().map(|sample| (*sample).to_owned()).collect(),
        Vec::new(),
    )
}

fn best(manifest: &Manifest, said: &str, lang: &str) -> Option<String> {
    let found = manifest.recognise(
        &words(said),
        lang,
        &Session::named("kitchen"),
        "own",
        &mut Effort::WHOLE.clone(),
    );
    found
        .first()
        .map(|found| format!("{}:{}", found.skill_id, found.intent_name))
}

#[test]
fn the_closest_sentence_in_the_right_language_wins() {
    let mut manifest = Manifest::default();
    manifest.register(
        key("timer", "start", "en-US"),
        templates(&["set a timer for {time}"]),
        Gate::default(),
    );
    manifest.register(
        key("notes", "any", "en-US"),
        templates(&["set {thing}", "{all}"]),
        Gate::default(),
    );
    manifest.register(
        key("uhr", "start", "de-DE"),
        templates(&["stelle einen timer"]),
        Gate::default(),
    );
    assert_eq!(
        best(&manifest, "Set a timer for ten minutes", "en-GB").unwrap(),
        "timer:start"
    );
    assert_eq!(best(&manifest, "set the alarm", "en-US").unwrap(), "notes:any");
    assert_eq!(best(&manifest, "stelle einen timer", "en-US"), None);
    manifest.enable(Some("timer"), "start", false);
    assert_eq!(
        best(&manifest, "Set a timer for ten minutes", "en").unwrap(),
        "notes:any"
    );
    manifest.forget("notes", "default");
    assert_eq!(best(&manifest, "set the alarm", "en-US"), None);
    assert_eq!(manifest.listing(None, None).len(), 2);
}

#[test]
fn an_equally_good_sentence_of_ours_goes_first() {
    let mut manifest = Manifest::default();
    for skill in ["a", "own", "z"] {
        manifest.register(key(skill, "bye", "en"), templates(&["goodbye"]), Gate::default());
    }
    assert_eq!(best(&manifest, "Goodbye", "en-US").unwrap(), "own:bye");
}

#[test]
fn fallback_handlers_are_asked_in_order_and_within_their_band() {
    let mut manifest = Manifest::default();
    for (skill, priority, session) in [
        ("late", 95, "default"),
        ("early", 10, "default"),
        ("theirs", 20, "x"),
    ] {
        manifest.add_fallback(FallbackHandler {
            skill_id: skill.into(),
            priority,
            session_id: session.into(),
        });
    }
    let ids = |session, band| -> Vec<String> {
        let handlers = manifest.fallbacks(session, band);
        handlers
            .into_iter()
            .map(|handler| handler.skill_id.clone())
            .collect()
    };
    assert_eq!(ids("kitchen", 0..=100), ["early", "late"]);
    assert_eq!(ids("x", 6..=90), ["early", "theirs"]);
    assert_eq!(manifest.skills().len(), 3);
}

#[test]
fn a_session_takes_back_only_its_own() {
    let mut manifest = Manifest::default();
    let own = |session: &str| IntentKey {
        session_id: session.into(),
        ..key("timer", "start", "en-US")
    };
    for session in ["default", "kitchen"] {
        manifest.register(own(session), templates(&["start"]), Gate::default());
        manifest.add_fallback(FallbackHandler {
            skill_id: "timer".into(),
            priority: 50,
            session_id: session.into(),
        });
    }
    assert_eq!(
        manifest.fallbacks("kitchen", 0..=100).len(),
        1,
        "it is asked once"
    );
    manifest.forget("timer", "garage");
    assert_eq!(manifest.listing(None, None).len(), 2);
    manifest.deregister("timer", "start", None, "kitchen");
    manifest.remove_fallback("timer", "kitchen");
    assert_eq!(manifest.listing(None, None).len(), 1);
    assert_eq!(manifest.fallbacks("garage", 0..=100).len(), 1);
    manifest.forget("timer", "default");
    assert!(manifest.listing(None, None).is_empty() && manifest.fallbacks("garage", 0..=100).is_empty());
}

#[test]
fn a_skill_that_takes_for_ever_leaves_the_others_their_share() {
    let mut manifest = Manifest::default();
    let endless: Vec<String> = (0..limits::SAMPLES)
        .map(|number| format!("{}never {number}", "[a] {x} ".repeat(12)))
        .collect();
    let endless: Vec<&str> = endless.iter().map(String::as_str).collect();
    manifest.register(
        key("a.greedy", "all", "en-US"),
        templates(&endless),
        Gate::default(),
    );
    let keyword = |samples: usize| {
        let sample = |number: usize| vec![format!("word{number}")];
        Means::Keywords(KeywordIntent {
            required: vec![Keyword {
                name: "word".into(),
                samples: Samples::Inline((0..samples).map(sample).collect()),
            }],
            ..KeywordIntent::default()
        })
    };
    for number in 0..limits::share(INTENTS) {
        let name = format!("words{number}");
        manifest.register(key("a.greedy", &name, "en-US"), keyword(100), Gate::default());
    }
    manifest.register(key("timer", "words", "en-US"), keyword(1), Gate::default());
    manifest.register(
        key("timer", "start", "en-US"),
        templates(&["set a timer for {time}"]),
        Gate::default(),
    );
    let said = format!("set a timer for {}", "a ".repeat(60));
    assert_eq!(best(&manifest, &said, "en-US").unwrap(), "timer:start");
    let found = manifest.recognise(
        &words("word0"),
        "en-US",
        &Session::named("kitchen"),
        "own",
        &mut Effort::WHOLE.clone(),
    );
    assert!(found.iter().any(|found| found.skill_id == "timer"), "{found:?}");

    // Nor does one that has less to compare than they have, and takes its time with that.
    let mut manifest = Manifest::default();
    manifest.register(
        key("a.greedy", "all", "en-US"),
        templates(&endless[..200]),
        Gate::default(),
    );
    let long = "set an alarm, please, if you would be so kind, for {time}, number";
    let many: Vec<String> = (0..limits::SAMPLES)
        .map(|number| format!("{long} {number}"))
        .collect();
    let many: Vec<&str> = many
        .iter()
        .map(String::as_str)
        .chain(["set a timer for {time}"])
        .collect();
    manifest.register(key("timer", "start", "en-US"), templates(&many), Gate::default());
    assert!(manifest.weights["timer"] > manifest.weights["a.greedy"]);
    assert_eq!(best(&manifest, &said, "en-US").unwrap(), "timer:start");
}

#[test]
fn a_skill_that_registers_without_end_leaves_room_for_others() {
    let mut manifest = Manifest::default();
    let count = |manifest: &Manifest, skill: &str| manifest.listing(None, Some(skill)).len();
    let register = |manifest: &mut Manifest, skill: &str, number: usize, sample: &str| {
        let name = format!("intent{number}");
        manifest.register(key(skill, &name, "en-US"), templates(&[sample]), Gate::default());
    };
    for number in 0..INTENTS {
        register(&mut manifest, "greedy", number, "say it");
    }
    assert_eq!(count(&manifest, "greedy"), limits::share(INTENTS));
    register(&mut manifest, "greedy", 0, "say it again");
    assert_eq!(
        best(&manifest, "say it again", "en-US").unwrap(),
        "greedy:intent0"
    );
    register(&mut manifest, "modest", 0, "set a timer");
    assert_eq!(best(&manifest, "set a timer", "en-US").unwrap(), "modest:intent0");

    let mut manifest = Manifest::default();
    let long = vec!["x".repeat(limits::LONGEST); limits::VALUES];
    let distinct = |skill: usize| -> Vec<String> {
        let values = long.iter().enumerate();
        values
            .map(|(number, value)| format!("{skill}{number}{value}"))
            .collect()
    };
    let values = |manifest: &mut Manifest, skill: &str, number: usize| {
        let key = EntityKey {
            skill_id: skill.into(),
            name: format!("slot{number}"),
            lang: String::new(),
        };
        manifest.set_entity(key, &distinct(number));
        manifest.entities.size()
    };
    let taken = (0..10)
        .map(|number| values(&mut manifest, "greedy", number))
        .max();
    let room = limits::share(limits::ALL) / limits::weight(&distinct(0));
    assert!((1..10).contains(&room));
    assert_eq!(taken, Some(room), "of such lists a skill has room for few");
    assert_eq!(values(&mut manifest, "modest", 0), room + 1);
    manifest.forget("greedy", DEFAULT_SESSION_ID);
    assert_eq!(values(&mut manifest, "greedy", 1), 2, "what is gone makes room");
}

#[test]
fn who_is_refused_leaves_nothing_behind() {
    let mut manifest = Manifest::default();
    let add = |manifest: &mut Manifest, skill: &str, kind: &str| {
        let owner = Owner {
            skill_id: skill.into(),
            lang: String::new(),
        };
        manifest.add_vocabulary(kind, owner, "word")
    };
    let mut number = 0;
    while add(
        &mut manifest,
        &format!("skill{}", number / 100),
        &format!("kind{number}"),
    )
    .is_ok()
    {
        number += 1;
    }
    let known = manifest.weights.size();
    for stranger in 0..100 {
        let refused = add(&mut manifest, &format!("stranger{stranger}"), "another kind");
        assert_eq!(refused, Err(Refused::Full));
    }
    assert_eq!(manifest.weights.size(), known);
    assert!(
        manifest.weights.contains_key("skill0"),
        "who has something is kept"
    );
}

//! Which intent wins, and who is asked as a fallback.

use super::super::words::words;
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
    let found = manifest.recognise(&words(said), lang, &Session::named("kitchen"), "own");
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

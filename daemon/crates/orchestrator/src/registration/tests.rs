//! What of a registration is taken, and what is not.

use loquat_sentences::words::words;
use loquat_wire::Session;
use serde_json::json;

use super::super::effort::Effort;
use super::*;

fn recognised(registrations: &[(&str, Value)], said: &str) -> Option<String> {
    let mut manifest = Manifest::default();
    for (topic, data) in registrations {
        take(&mut manifest, topic, &Message::new(*topic, data.clone()));
    }
    let found = manifest.recognise(
        &words(said),
        "en-US",
        &Session::named("s"),
        "own",
        &mut Effort::WHOLE.clone(),
    );
    let first = found.first()?;
    Some(format!(
        "{}:{} {:?}",
        first.skill_id, first.intent_name, first.slots
    ))
}

#[test]
fn both_vocabularies_of_templates_are_read() {
    let modern = json!({"skill_id": "t.s", "intent_name": "say", "lang": "en-us", "samples": ["say {what}"]});
    let older = json!({"name": "t.s:say.intent", "lang": "en-us", "samples": ["say {what}"]});
    for (topic, data) in [
        (topic::INTENT_REGISTER_TEMPLATE, modern),
        (topic::PADATIOUS_REGISTER_INTENT, older),
    ] {
        assert_eq!(
            recognised(&[(topic, data)], "Say hello").unwrap(),
            r#"t.s:say [("what", "hello")]"#
        );
    }
}

#[test]
fn both_vocabularies_of_keywords_are_read() {
    let modern = json!({"skill_id": "t", "intent_name": "hi", "lang": "en-US",
                        "required": [{"name": "Hello", "samples": ["hello there"]}]});
    assert!(recognised(&[(topic::INTENT_REGISTER_KEYWORD, modern)], "Hello there").is_some());
    let vocabulary = json!({"entity_value": "hello there", "entity_type": "tHello", "lang": "en-us"});
    let older =
        json!({"name": "t:hi", "requires": [["tHello", "Hello"]], "at_least_one": [], "lang": "en-us"});
    let both = [
        (topic::ADAPT_REGISTER_VOCAB, vocabulary),
        (topic::ADAPT_REGISTER_INTENT, older),
    ];
    assert_eq!(
        recognised(&both, "Hello there").unwrap(),
        r#"t:hi [("Hello", "Hello there")]"#
    );
}

#[test]
fn what_was_registered_is_taken_back_in_the_spelling_of_the_skill() {
    let named = json!({"skill_id": "t.s", "intent_name": "say", "lang": "en-us", "samples": ["say it"]});
    let registered = (topic::INTENT_REGISTER_TEMPLATE, named.clone());
    assert!(recognised(std::slice::from_ref(&registered), "Say it").is_some());
    assert_eq!(
        recognised(&[registered, (topic::INTENT_DEREGISTER, named)], "Say it"),
        None
    );
}

#[test]
fn what_could_never_be_dispatched_is_not_taken() {
    for (skill, intent) in [
        ("t.s", "größe"),
        ("t.s", "two words"),
        ("t s", "say"),
        ("t.s", "a:b"),
    ] {
        let data = json!({"skill_id": skill, "intent_name": intent, "lang": "en-US", "samples": ["say it"]});
        let registered = (topic::INTENT_REGISTER_TEMPLATE, data);
        assert_eq!(recognised(&[registered], "Say it"), None, "{skill} {intent}");
    }
}

#[test]
fn words_of_another_language_and_of_a_skill_that_left_do_not_count() {
    let of_skill = |topic: &str, data: Value| {
        let mut message = Message::new(topic, data);
        message.context.set_skill_id("t.s");
        message
    };
    let intent = json!({"name": "t.s:hi", "requires": [["t_sHello", "Hello"]]});
    let mut frames = vec![of_skill(topic::ADAPT_REGISTER_INTENT, intent.clone())];
    for (lang, word) in [("en-us", "hello"), ("de-de", "hallo")] {
        let data = json!({"entity_value": word, "entity_type": "t_sHello", "lang": lang});
        frames.push(of_skill(topic::ADAPT_REGISTER_VOCAB, data));
    }
    let pattern = json!({"regex": "ahoy (?P<t_sHello>.*)", "lang": "en-us"});
    frames.push(of_skill(topic::ADAPT_REGISTER_VOCAB, pattern));
    let mut manifest = Manifest::default();
    let heard = |manifest: &Manifest, said: &str| {
        let found = manifest.recognise(
            &words(said),
            "en-US",
            &Session::named("s"),
            "own",
            &mut Effort::WHOLE.clone(),
        );
        found.first().map(|found| found.slots.clone())
    };
    for frame in &frames {
        take(&mut manifest, &frame.topic, frame);
    }
    assert!(heard(&manifest, "Hello").is_some());
    assert_eq!(heard(&manifest, "Hallo"), None);
    let captured = ("Hello".to_owned(), "old mate".to_owned());
    assert_eq!(heard(&manifest, "Ahoy old mate"), Some(vec![captured]));
    let left = json!({"skill_id": "t.s"});
    take(
        &mut manifest,
        topic::SKILL_DEREGISTER,
        &of_skill(topic::SKILL_DEREGISTER, left),
    );
    let again = of_skill(topic::ADAPT_REGISTER_INTENT, intent);
    take(&mut manifest, topic::ADAPT_REGISTER_INTENT, &again);
    assert_eq!(heard(&manifest, "Hello").or(heard(&manifest, "Ahoy mate")), None);
}

#[test]
fn values_of_a_slot_are_found_by_the_names_of_both_generations_and_in_their_language() {
    let entity = |lang: &str, values: [&str; 1]| {
        let name = "t.s:day_0123456789abcdef0123456789abcdef";
        (
            topic::PADATIOUS_REGISTER_ENTITY,
            json!({"name": name, "samples": values, "lang": lang}),
        )
    };
    let intent = |skill: &str| {
        let data =
            json!({"skill_id": skill, "intent_name": "is", "lang": "en-US", "samples": ["is it {day}"]});
        (topic::INTENT_REGISTER_TEMPLATE, data)
    };
    let frames = [
        intent("t.s"),
        intent("u"),
        entity("en-us", ["Sunday"]),
        entity("de-de", ["Sonntag"]),
    ];
    let strange = recognised(&frames, "Is it raining").unwrap();
    assert!(strange.starts_with("u:"), "{strange}");
    let known = recognised(&frames, "Is it sunday").unwrap();
    assert!(known.starts_with("t.s:"), "{known}");
}

#[test]
fn what_is_too_much_is_not_taken() {
    let samples: Vec<String> = (0..=limits::SAMPLES)
        .map(|number| format!("say {number}"))
        .collect();
    let data = json!({"skill_id": "t", "intent_name": "say", "lang": "en-US",
                      "required": [{"name": "What", "samples": samples}]});
    let said = |number: usize| {
        recognised(
            &[(topic::INTENT_REGISTER_KEYWORD, data.clone())],
            &format!("Say {number}"),
        )
    };
    assert!(said(limits::SAMPLES - 1).is_some());
    assert_eq!(said(limits::SAMPLES), None);
    let named =
        json!({"skill_id": "t".repeat(300), "intent_name": "say", "lang": "en", "samples": ["say it"]});
    assert_eq!(
        recognised(&[(topic::INTENT_REGISTER_TEMPLATE, named)], "Say it"),
        None
    );

    let long = vec!["x".repeat(limits::LONGEST); limits::SAMPLES];
    let mut manifest = Manifest::default();
    let mut register = |skill: usize| {
        let data =
            json!({"skill_id": format!("s{skill}"), "intent_name": "say", "lang": "en", "samples": long});
        let message = Message::new(topic::INTENT_REGISTER_TEMPLATE, data);
        take(&mut manifest, topic::INTENT_REGISTER_TEMPLATE, &message);
        manifest.listing(None, None).len()
    };
    let too_many = limits::ALL / (limits::SAMPLES * limits::LONGEST);
    let taken = (0..too_many).map(&mut register).max().unwrap();
    assert!(
        (20..too_many).contains(&taken),
        "{taken} intents of the greatest size"
    );
    assert_eq!(register(0), taken, "what is replaced makes room for itself");
    let gone = Message::new(topic::SKILL_DEREGISTER, json!({"skill_id": "s0"}));
    take(&mut manifest, topic::SKILL_DEREGISTER, &gone);
    let data = json!({"skill_id": "late", "intent_name": "say", "lang": "en", "samples": long});
    take(
        &mut manifest,
        topic::INTENT_REGISTER_TEMPLATE,
        &Message::new(topic::INTENT_REGISTER_TEMPLATE, data),
    );
    assert_eq!(manifest.listing(None, Some("late")).len(), 1);
}

#[test]
fn what_makes_no_sense_is_left() {
    for topic in TOPICS {
        for data in [
            json!({}),
            json!({"skill_id": 7}),
            json!({"name": "x", "samples": "y"}),
        ] {
            assert_eq!(recognised(&[(topic, data)], "x"), None, "{topic}");
        }
    }
    let reserved = json!({"skill_id": "t", "intent_name": "stop", "lang": "en-US", "samples": ["halt"]});
    assert_eq!(
        recognised(&[(topic::INTENT_REGISTER_TEMPLATE, reserved)], "halt"),
        None
    );
}

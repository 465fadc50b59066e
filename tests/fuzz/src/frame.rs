//! A frame of the bus: read, derived from, sent again; and its session and its registrations, as the desk takes them.

use std::time::Duration;

use loquat::phrases::Phrases;
use loquat_orchestrator::changes::Changes;
use loquat_orchestrator::effort::Effort;
use loquat_orchestrator::{notes, pipeline, registration};
use loquat_sentences::words;
use loquat_wire::repeat::{first_of, repeated};
use loquat_wire::{
    Languages, Message, Session, answer_lang, carrier, stub, topic, topic_of, utterance_lang, with_twin,
};
use serde_json::json;

/// Seconds since 1970, at which notes end.
const NOW: f64 = 1_800_000_000.0;

/// What a session may be, in bytes.
const LARGEST_SESSION: usize = 1024;

pub(crate) fn feed(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let passes = carrier::check(text).is_ok();
    if let Ok(outline) = stub::read(text) {
        let is_call =
            [topic::TOOLS_CALL, topic::TOOL_SERVICE_INVOKE].contains(&topic::canonical_of(&outline.topic));
        assert!(
            outline.data.is_empty() || is_call,
            "a frame's outline has no payload, unless it calls a tool"
        );
        for (key, value) in &outline.data {
            assert!(
                ["toolbox_id", "name"].contains(&key.as_str())
                    && value.as_str().is_some_and(|text| text.len() <= stub::MAX_TEXT),
                "a call's outline has the names of the tool and its toolbox, and they are short"
            );
        }
    }
    let topic = topic_of(text);
    let Ok(message) = Message::parse(text) else {
        return;
    };
    assert!(passes, "a relay passes on what a client can read");
    // A frame with two topics has none at a glance, so that it is read as a whole.
    assert!(
        topic.is_none_or(|topic| topic == message.topic),
        "the topic at a glance is that of the frame"
    );
    written_and_derived(&message);
    session(&message);
    registered(&message);
}

fn written_and_derived(message: &Message) {
    let written = message.to_text();
    let again = Message::parse(&written);
    assert_eq!(
        again.ok().as_ref(),
        Some(message),
        "what was written reads as it was"
    );
    let age = Duration::from_millis(7);
    assert_eq!(
        first_of(&repeated(&written, age)),
        Some((written, age)),
        "a repetition leads back"
    );
    for derived in [
        message.forward("a.b", json!({})),
        message.reply("a.b", json!({})),
        message.response(json!({})),
    ] {
        assert!(
            Message::parse(&derived.to_text()).is_ok(),
            "what is derived can be read"
        );
    }
    drop(with_twin(message.clone(), loquat_wire::Vocabulary::default()));
}

fn session(message: &Message) {
    let languages = Languages::any("en-US");
    let before = message.context.session();
    let lang = utterance_lang(message, &languages);
    let mut session = before.clone();
    notes::prune(&mut session, NOW);
    notes::count_down(&mut session);
    let mut changed = before.clone();
    Changes::between(&before, &session).apply(&mut changed);
    looked_at(&changed);
    looked_at(&before);
    answer_lang(&before, &lang);
    changed.shed(LARGEST_SESSION);
    looked_at(&changed);
}

fn looked_at(session: &Session) {
    drop((session.mistyped(), session.blacklisted_skills()));
    session.time_zone();
    assert!(!session.id().is_empty(), "every session has an id");
    drop((pipeline::effective(session), pipeline::missing(session)));
}

/// What a skill registers, and an utterance that may be meant for it.
fn registered(message: &Message) {
    let mut manifest = Phrases::commands();
    let canonical = topic::canonical_of(&message.topic);
    registration::take(&mut manifest, canonical, message);
    let said = words::words("switch on the lamp in the kitchen");
    let mut effort = Effort::WHOLE;
    drop(manifest.recognise(&said, "en-US", &message.context.session(), "", &mut effort));
}

//! The sentences by which a person chooses who answers (PERSONA-1 §5 and §6), as intents of ours.
//!
//! Solo they are matched here; beside ovos-core they are registered with it as template intents. The sentences themselves
//! come from the caller, as [`Orders`].

use loquat_sentences::words::Word;
use loquat_wire::{Message, Session, topic};
use serde_json::json;

use super::effort::Effort;
use super::frames::{self, SKILL_ID};
use super::manifest::{IntentKey, Manifest, Means, Recognised, without_brackets};
use super::notes::Gate;
use super::orders::Orders;

/// Intent: `{persona}` shall answer from now on.
pub const SUMMON: &str = "summon";
/// Intent: the summoned persona shall answer no more.
pub const RELEASE: &str = "release";
/// Intent: `{persona}` shall answer `{query}` and nothing else.
pub const ASK: &str = "ask";
/// Intent: which personas are there?
pub const LIST: &str = "list";
/// Intent: which persona answers now?
pub const CHECK: &str = "check";

/// Intent: nothing more shall be done.
pub const EMERGENCY_STOP: &str = "emergency_stop";
/// Intent: things may be done again.
pub const END_EMERGENCY_STOP: &str = "end_emergency_stop";

/// Intent: what was done last shall be undone.
pub const UNDO: &str = "undo";
/// Intent: what goes on in the background?
pub const BACKGROUND: &str = "background";
/// Intent: what goes on in the background shall end; where nothing does, what was done last shall be undone.
pub const CANCEL_BACKGROUND: &str = "cancel_background";

/// Sentences that one template may stand for with an older core.
const SENTENCES: usize = 100;

/// All of them.
pub const ALL: [&str; 10] = [
    SUMMON,
    RELEASE,
    ASK,
    LIST,
    CHECK,
    EMERGENCY_STOP,
    END_EMERGENCY_STOP,
    UNDO,
    BACKGROUND,
    CANCEL_BACKGROUND,
];

/// Gives the templates of a command; an unknown one has none.
pub fn samples<'a>(orders: &'a Orders, intent: &str) -> &'a [String] {
    match intent {
        SUMMON => &orders.summon,
        RELEASE => &orders.release,
        ASK => &orders.ask,
        LIST => &orders.list,
        CHECK => &orders.check,
        EMERGENCY_STOP => &orders.emergency_stop,
        END_EMERGENCY_STOP => &orders.end_emergency_stop,
        UNDO => &orders.undo,
        BACKGROUND => &orders.background,
        CANCEL_BACKGROUND => &orders.cancel_background,
        _ => &[],
    }
}

/// Makes a manifest with our commands alone, from the orders of each language by its primary subtag.
pub fn manifest<'a>(languages: impl IntoIterator<Item = (&'a str, &'a Orders)>) -> Manifest {
    let mut manifest = Manifest::default();
    for (lang, orders) in languages {
        for intent in ALL {
            let key = IntentKey {
                skill_id: SKILL_ID.to_owned(),
                intent_name: intent.to_owned(),
                lang: lang.to_owned(),
                session_id: loquat_wire::session::DEFAULT_SESSION_ID.to_owned(),
            };
            let means = Means::templates(samples(orders, intent).to_vec(), Vec::new());
            manifest.register(key, means, Gate::default());
        }
    }
    manifest
}

/// Finds the commands that an utterance may be, the likeliest first. `commands` is what [`manifest`] made,
/// and the orders are those of the language.
pub fn recognise(
    commands: &Manifest,
    said: &[Word],
    lang: &str,
    orders: &Orders,
    effort: &mut Effort,
) -> Vec<Recognised> {
    let core = orders.core_of(said);
    let mut find = |said: &[Word]| commands.recognise(said, lang, &Session::default(), SKILL_ID, effort);
    let whole = find(said);
    if core.len() == said.len() {
        return whole;
    }
    // What a courtesy is in one sentence may be all of another.
    whole.into_iter().chain(find(core)).collect()
}

/// Finds the words that set or clear the emergency stop, if that is what an utterance is.
pub fn emergency_stop(commands: &Manifest, said: &[Word], lang: &str, orders: &Orders) -> Option<Recognised> {
    let found = recognise(commands, said, lang, orders, &mut Effort::LITTLE.clone());
    let mut found = found
        .into_iter()
        .filter(|found| sets_emergency_stop(&found.intent_name).is_some());
    found.next()
}

/// Tells whether an intent sets the emergency stop or clears it; nothing for every other one.
pub fn sets_emergency_stop(intent: &str) -> Option<bool> {
    match intent {
        EMERGENCY_STOP => Some(true),
        END_EMERGENCY_STOP => Some(false),
        _ => None,
    }
}

/// An intent of ours as it is registered with an ovos-core.
#[derive(Debug, Clone, Copy)]
pub struct Offered<'a> {
    /// It is a BCP-47 tag.
    pub lang: &'a str,
    /// Its name.
    pub intent: &'a str,
    /// It is understood by these templates.
    pub samples: &'a [String],
}

/// The frames that register our commands and other intents of ours with an ovos-core, in the device's languages and under one name in both
/// vocabularies: the older core reads only the older one, and for the newer one the second replaces the first. The older
/// one gets sentences without brackets, since padacioso leaves two spaces where something is left out and then never
/// matches. The last frame says what else we take part in.
pub fn registrations<'a>(
    langs: impl Iterator<Item = (&'a str, &'a Orders)>,
    others: impl Iterator<Item = Offered<'a>>,
) -> Vec<Message> {
    let both = |offered: Offered<'a>| {
        let Offered {
            lang,
            intent,
            samples,
        } = offered;
        let sentences: Vec<String> = without_brackets(samples, SENTENCES).collect();
        let older = json!({"name": topic::dispatch(SKILL_ID, intent), "samples": sentences, "lang": lang,
                           "file_name": "", "blacklisted_words": []});
        let newer = json!({"skill_id": SKILL_ID, "intent_name": intent, "lang": lang, "samples": samples});
        [
            frames::originated(topic::PADATIOUS_REGISTER_INTENT, older),
            frames::originated(topic::INTENT_REGISTER_TEMPLATE, newer),
        ]
    };
    let capabilities = json!({"skill_id": SKILL_ID, "capabilities": ["fallback", "converse"]});
    let loaded = frames::originated(topic::SKILL_LOADED, capabilities);
    let own = langs.flat_map(|(lang, orders)| {
        ALL.map(|intent| Offered {
            lang,
            intent,
            samples: samples(orders, intent),
        })
    });
    own.chain(others).flat_map(both).chain([loaded]).collect()
}

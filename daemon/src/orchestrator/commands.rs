//! The sentences by which a person chooses who answers (PERSONA-1 §5 and §6), in the languages of `locale/`.
//!
//! Solo they are matched here; beside ovos-core they are registered with it as template intents of ours.

use std::sync::LazyLock;

use loquat_wire::{Message, Session, topic};
use serde_json::json;

use super::manifest::{IntentKey, Manifest, Means, Recognised};
use super::notes::Gate;
use super::template::Template;
use super::words::Word;
use crate::desk::lifecycle::{self, SKILL_ID};
use crate::phrases::{Commands, Phrases};

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

/// Sentences that one template may stand for with an older core.
const SENTENCES: usize = 100;

/// All five.
pub const ALL: [&str; 5] = [SUMMON, RELEASE, ASK, LIST, CHECK];

static OWN: LazyLock<Manifest> = LazyLock::new(|| {
    let mut manifest = Manifest::default();
    register(&mut manifest);
    manifest
});

fn samples(commands: &'static Commands, intent: &str) -> &'static [String] {
    match intent {
        SUMMON => &commands.summon,
        RELEASE => &commands.release,
        ASK => &commands.ask,
        LIST => &commands.list,
        CHECK => &commands.check,
        _ => &[],
    }
}

/// Intent, primary language subtag and samples of every command.
fn every() -> impl Iterator<Item = (&'static str, &'static str, &'static [String])> {
    Phrases::all().flat_map(|(lang, phrases)| {
        ALL.iter()
            .map(move |intent| (*intent, lang, samples(&phrases.commands, intent)))
    })
}

/// Puts our commands among the intents of others.
pub fn register(manifest: &mut Manifest) {
    for (intent, lang, samples) in every() {
        let key = IntentKey {
            skill_id: SKILL_ID.to_owned(),
            intent_name: intent.to_owned(),
            lang: lang.to_owned(),
            session_id: loquat_wire::session::DEFAULT_SESSION_ID.to_owned(),
        };
        manifest.register(
            key,
            Means::templates(samples.to_vec(), Vec::new()),
            Gate::default(),
        );
    }
}

/// The commands that an utterance may be, the likeliest first.
pub fn recognise(said: &[Word], lang: &str) -> Vec<Recognised> {
    let core = Phrases::of(lang).core_of(said);
    let whole = OWN.recognise(said, lang, &Session::default(), SKILL_ID);
    if core.len() == said.len() {
        return whole;
    }
    // What a courtesy is in one sentence may be all of another.
    let core = OWN.recognise(core, lang, &Session::default(), SKILL_ID);
    whole.into_iter().chain(core).collect()
}

/// Registers our commands with an ovos-core, in the device's language and under the same name in both vocabularies: the
/// older core reads only the older one, and for the newer one the second replaces the first. The older one gets
/// sentences without brackets, since padacioso leaves two spaces where something is left out and then never matches.
/// Behind them it is said what else we take part in.
pub fn registrations(device_lang: &str) -> Vec<Message> {
    let commands = &Phrases::of(device_lang).commands;
    let both = |intent: &&str| {
        let samples = samples(commands, intent);
        let read = samples.iter().filter_map(|sample| Template::parse(sample));
        let sentences: Vec<String> = read.flat_map(|template| template.sentences(SENTENCES)).collect();
        let older = json!({"name": topic::dispatch(SKILL_ID, intent), "samples": sentences, "lang": device_lang,
                           "file_name": "", "blacklisted_words": []});
        let newer =
            json!({"skill_id": SKILL_ID, "intent_name": intent, "lang": device_lang, "samples": samples});
        [
            lifecycle::originated(topic::PADATIOUS_REGISTER_INTENT, older),
            lifecycle::originated(topic::INTENT_REGISTER_TEMPLATE, newer),
        ]
    };
    let capabilities = json!({"skill_id": SKILL_ID, "capabilities": ["fallback", "converse"]});
    let loaded = lifecycle::originated(topic::SKILL_LOADED, capabilities);
    ALL.iter().flat_map(both).chain([loaded]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn command(said: &str, lang: &str) -> Option<(String, Vec<(String, String)>)> {
        let found = recognise(&words(said), lang);
        found
            .into_iter()
            .next()
            .map(|found| (found.intent_name, found.slots))
    }

    #[test]
    fn every_template_of_every_language_can_be_read() {
        for (intent, lang, samples) in every() {
            assert!(!samples.is_empty(), "{lang} {intent}");
            for sample in samples {
                assert!(Template::parse(sample).is_some(), "{lang} {intent}: {sample}");
                let needs = match intent {
                    SUMMON => vec!["{persona}"],
                    ASK => vec!["{persona}", "{query}"],
                    _ => vec![],
                };
                for slot in needs {
                    assert!(sample.contains(slot), "{lang} {intent}: {sample}");
                }
            }
        }
    }

    #[test]
    fn courtesy_belongs_neither_to_a_command_nor_to_a_name() {
        for (lang, said) in [
            ("en-US", "Please, can I talk to Alice now?"),
            ("en-GB", "Hey, start a conversation with Alice, thank you"),
            ("de-DE", "Hallo, kann ich bitte mit Alice sprechen"),
            ("de-AT", "Sprich mit Alice, bitte"),
            ("fr-FR", "Bonjour, parle avec Alice s'il te plaît"),
            ("es-ES", "Por favor, quiero hablar con Alice"),
            ("pt-BR", "Fala com a Alice, por favor"),
            ("it-IT", "Voglio parlare con Alice, grazie"),
        ] {
            let found = recognise(&words(said), lang);
            let summons = found.iter().any(|found| {
                found.intent_name == SUMMON && found.slots == [("persona".to_owned(), "Alice".to_owned())]
            });
            assert!(summons, "{lang} {said}: {found:?}");
        }
    }

    #[test]
    fn the_five_commands_are_understood_in_six_languages() {
        let cases = [
            (
                "en-US",
                [
                    "Talk to Alice",
                    "Goodbye Alice",
                    "Ask Alice about soup",
                    "List personas",
                    "Who am I talking to?",
                ],
            ),
            (
                "de-DE",
                [
                    "Sprich mit Alice",
                    "Tschüss Alice",
                    "Frag Alice nach Suppe",
                    "Welche Personas gibt es?",
                    "Mit wem spreche ich?",
                ],
            ),
            (
                "fr-FR",
                [
                    "Parle à Alice",
                    "Au revoir Alice",
                    "Interroge Alice sur la soupe",
                    "Quelles personas as-tu ?",
                    "À qui est-ce que je parle ?",
                ],
            ),
            (
                "es-ES",
                [
                    "Habla con Alice",
                    "Adiós Alice",
                    "Pregunta a Alice sobre la sopa",
                    "¿Qué personas hay?",
                    "¿Con quién estoy hablando?",
                ],
            ),
            (
                "pt-PT",
                [
                    "Fala com Alice",
                    "Adeus Alice",
                    "Pergunta à Alice sobre a sopa",
                    "Que personas há?",
                    "Com quem estou a falar?",
                ],
            ),
            (
                "it-IT",
                [
                    "Parla con Alice",
                    "Arrivederci Alice",
                    "Chiedi a Alice di zuppa",
                    "Quali personas ci sono?",
                    "Con chi sto parlando?",
                ],
            ),
        ];
        for (lang, said) in cases {
            for (sentence, intent) in said.iter().zip([SUMMON, RELEASE, ASK, LIST, CHECK]) {
                let (name, slots) = command(sentence, lang).unwrap_or_else(|| panic!("{lang}: {sentence}"));
                assert_eq!(name, intent, "{lang}: {sentence}");
                let persona = slots.iter().find(|(slot, _)| slot == "persona");
                if matches!(intent, SUMMON | ASK) {
                    assert_eq!(persona.unwrap().1, "Alice", "{lang}: {sentence}");
                }
            }
            assert_eq!(command("Alice in Wonderland 1865", lang), None, "{lang}");
        }
    }
}

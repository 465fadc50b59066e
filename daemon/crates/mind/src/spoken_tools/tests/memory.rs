//! What people say to have things remembered in six languages, and what it becomes.

use loquat_orchestrator::search::ToolIntents;

use super::spoken;

/// What is said, the intent, and what fills its gap.
const SAID: &[(&str, &str, &str, &str)] = &[
    (
        "en-US",
        "Remember that my sister is called Anna.",
        "remember",
        "my sister is called Anna",
    ),
    (
        "en-US",
        "please remember that the key is under the red pot",
        "remember",
        "the key is under the red pot",
    ),
    (
        "en-US",
        "don't forget that Tom is allergic to nuts",
        "remember",
        "Tom is allergic to nuts",
    ),
    (
        "en-US",
        "keep in mind that I don't eat meat",
        "remember",
        "I don't eat meat",
    ),
    (
        "en-US",
        "can you remember that I parked on level three",
        "remember",
        "I parked on level three",
    ),
    (
        "en-US",
        "What do you know about my sister?",
        "recall",
        "my sister",
    ),
    ("en-US", "what did I tell you about the key", "recall", "the key"),
    ("en-US", "what do you remember", "recall_all", ""),
    ("en-US", "what do you know about me?", "recall_all", ""),
    (
        "en-US",
        "forget that my sister is called Anna",
        "forget",
        "my sister is called Anna",
    ),
    (
        "en-US",
        "forget what I told you about the key",
        "forget",
        "the key",
    ),
    ("en-US", "forget everything you know about me", "forget_all", ""),
    (
        "de-DE",
        "Merk dir, dass meine Schwester Anna heißt.",
        "remember",
        "meine Schwester Anna heißt",
    ),
    (
        "de-DE",
        "Vergiss nicht, dass Tom keine Nüsse verträgt",
        "remember",
        "Tom keine Nüsse verträgt",
    ),
    (
        "de-DE",
        "Merk dir, dass Oma am 3. Mai Geburtstag hat.",
        "remember",
        "Oma am 3. Mai Geburtstag hat",
    ),
    (
        "de-DE",
        "Merk dir, dass wir am 28. Dezember, nicht am 2. Januar fahren",
        "remember",
        "wir am 28. Dezember, nicht am 2. Januar fahren",
    ),
    (
        "de-DE",
        "Kannst du dir bitte merken, dass ich auf Ebene drei parke?",
        "remember",
        "ich auf Ebene drei parke",
    ),
    (
        "de-DE",
        "Was weißt du über meine Schwester?",
        "recall",
        "meine Schwester",
    ),
    (
        "de-DE",
        "Was habe ich dir über den Schlüssel gesagt?",
        "recall",
        "den Schlüssel",
    ),
    ("de-DE", "Was hast du dir gemerkt?", "recall_all", ""),
    (
        "de-DE",
        "Vergiss, dass Tom keine Nüsse verträgt",
        "forget",
        "Tom keine Nüsse verträgt",
    ),
    ("de-DE", "Vergiss alles, was du über mich weißt", "forget_all", ""),
    (
        "fr-FR",
        "Souviens-toi que ma sœur s'appelle Anna.",
        "remember",
        "ma sœur s'appelle Anna",
    ),
    (
        "fr-FR",
        "N'oublie pas que Tom est allergique aux noix",
        "remember",
        "Tom est allergique aux noix",
    ),
    (
        "fr-FR",
        "Retiens que la clé est sous le pot rouge",
        "remember",
        "la clé est sous le pot rouge",
    ),
    ("fr-FR", "Que sais-tu de ma sœur ?", "recall", "ma sœur"),
    (
        "fr-FR",
        "Qu'est-ce que je t'ai dit sur la clé ?",
        "recall",
        "la clé",
    ),
    ("fr-FR", "Qu'est-ce que tu as retenu ?", "recall_all", ""),
    (
        "fr-FR",
        "Oublie que Tom est allergique aux noix",
        "forget",
        "Tom est allergique aux noix",
    ),
    ("fr-FR", "Oublie tout ce que tu sais sur moi", "forget_all", ""),
    (
        "es-ES",
        "Recuerda que mi hermana se llama Ana.",
        "remember",
        "mi hermana se llama Ana",
    ),
    (
        "es-ES",
        "No olvides que Tomás es alérgico a las nueces",
        "remember",
        "Tomás es alérgico a las nueces",
    ),
    (
        "es-ES",
        "Acuérdate de que la llave está en el cajón",
        "remember",
        "la llave está en el cajón",
    ),
    ("es-ES", "¿Qué sabes de mi hermana?", "recall", "mi hermana"),
    ("es-ES", "¿Qué te dije sobre la llave?", "recall", "la llave"),
    ("es-ES", "¿Qué recuerdas?", "recall_all", ""),
    (
        "es-ES",
        "Olvida que Tomás es alérgico a las nueces",
        "forget",
        "Tomás es alérgico a las nueces",
    ),
    ("es-ES", "Olvida todo lo que sabes de mí", "forget_all", ""),
    (
        "pt-PT",
        "Lembra-te de que a minha irmã se chama Ana.",
        "remember",
        "a minha irmã se chama Ana",
    ),
    (
        "pt-PT",
        "Não te esqueças de que o Tomás não come nozes",
        "remember",
        "o Tomás não come nozes",
    ),
    (
        "pt-PT",
        "Memoriza que a chave está na gaveta",
        "remember",
        "a chave está na gaveta",
    ),
    (
        "pt-PT",
        "O que sabes sobre a minha irmã?",
        "recall",
        "a minha irmã",
    ),
    (
        "pt-PT",
        "O que é que te disse sobre a chave?",
        "recall",
        "a chave",
    ),
    ("pt-PT", "De que te lembras?", "recall_all", ""),
    (
        "pt-PT",
        "Esquece que o Tomás não come nozes",
        "forget",
        "o Tomás não come nozes",
    ),
    ("pt-PT", "Esquece tudo o que sabes sobre mim", "forget_all", ""),
    (
        "it-IT",
        "Ricorda che mia sorella si chiama Anna.",
        "remember",
        "mia sorella si chiama Anna",
    ),
    (
        "it-IT",
        "Non dimenticare che Tommaso è allergico alle noci",
        "remember",
        "Tommaso è allergico alle noci",
    ),
    (
        "it-IT",
        "Ricordati che la chiave è nel cassetto",
        "remember",
        "la chiave è nel cassetto",
    ),
    ("it-IT", "Cosa sai di mia sorella?", "recall", "mia sorella"),
    ("it-IT", "Che cosa ti ho detto sulla chiave?", "recall", "chiave"),
    ("it-IT", "Cosa ti ho detto su la chiave?", "recall", "la chiave"),
    ("it-IT", "Cosa ricordi?", "recall_all", ""),
    (
        "it-IT",
        "Dimentica che Tommaso è allergico alle noci",
        "forget",
        "Tommaso è allergico alle noci",
    ),
    ("it-IT", "Dimentica tutto quello che sai di me", "forget_all", ""),
];

/// What only sounds like it.
const OTHERS: &[(&str, &str)] = &[
    ("en-US", "remember to buy milk"),
    ("en-US", "forget it"),
    ("en-US", "do you remember"),
    ("en-US", "what do you know"),
    ("en-US", "forget about that"),
    ("en-US", "remember that"),
    ("en-US", "remember to check whether the oven is off"),
    ("en-US", "remember when the party was"),
    ("en-US", "remember the milk"),
    ("en-US", "remember me"),
    ("de-DE", "merk dir das"),
    ("de-DE", "merk dir wie das ist"),
    ("de-DE", "vergiss es"),
    ("de-DE", "weißt du was"),
    ("fr-FR", "oublie ça"),
    ("es-ES", "olvídalo"),
    ("pt-PT", "esquece isso"),
    ("it-IT", "lascia perdere"),
];

#[test]
fn sentences_are_understood_and_their_gaps_read() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, text, intent, gap) in SAID {
        let found = spoken.recognise(text, lang);
        let name = found.as_ref().map(|found| found.intent_name.clone());
        let call = found.and_then(|found| spoken.call(&found.intent_name, text, lang));
        let filled = call.map(|wanted| {
            let arguments = wanted.call.arguments;
            arguments
                .values()
                .map(|value| value.as_str().unwrap_or_default().to_owned())
                .collect::<String>()
        });
        if name.as_deref() != Some(&format!("memory.{intent}")) || filled.as_deref() != Some(*gap) {
            wrong.push((lang, text, name, filled));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_only_sounds_like_it_is_left_to_others() {
    let spoken = spoken();
    let caught = OTHERS
        .iter()
        .filter_map(|(lang, text)| Some((text, spoken.recognise(text, lang)?.intent_name)))
        .filter(|(_, intent)| intent.starts_with("memory."));
    let caught: Vec<_> = caught.collect();
    assert!(caught.is_empty(), "{caught:?}");
}

/// What was remembered, and questions that it answers.
const ASKED: &[(&str, &str, &[&str])] = &[
    (
        "en-US",
        "my locker code is 4711",
        &[
            "what is my locker code",
            "what's my locker code again",
            "what was my locker code",
            "do you know my locker code",
            "tell me my locker code",
            "can you remember our locker code",
            "do you remember what my locker code is",
        ],
    ),
    (
        "en-US",
        "my sister's birthday is on May 3",
        &[
            "when is my sister's birthday",
            "what day is my sister's birthday",
            "what is the date of my sister's birthday",
        ],
    ),
    (
        "en-US",
        "I parked on level three",
        &["where did I park", "where have I parked"],
    ),
    (
        "de-DE",
        "mein Spindcode ist 4711",
        &[
            "wie lautet mein Spindcode",
            "was ist mein Spindcode",
            "wie ist der Spindcode",
            "weißt du noch meinen Spindcode",
            "nenn mir meinen Spindcode",
        ],
    ),
    (
        "de-DE",
        "meine Schwester hat am 3. Mai Geburtstag",
        &[
            "wann hat meine Schwester Geburtstag",
            "wann ist der Geburtstag meiner Schwester",
        ],
    ),
    (
        "fr-FR",
        "l'anniversaire de ma sœur est le 3 mai",
        &[
            "quand est l'anniversaire de ma sœur",
            "c'est quand l'anniversaire de ma sœur",
            "dis-moi l'anniversaire de ma sœur",
        ],
    ),
    (
        "es-ES",
        "el código de mi taquilla es 4711",
        &["cuál es el código de mi taquilla", "dime mi código de taquilla"],
    ),
    (
        "it-IT",
        "il codice del mio armadietto è 4711",
        &[
            "qual è il codice del mio armadietto",
            "ricordami il mio codice dell'armadietto",
        ],
    ),
    (
        "pt-PT",
        "o código do meu cacifo é 4711",
        &["qual é o código do meu cacifo", "diz-me o meu código do cacifo"],
    ),
];

#[tokio::test]
async fn what_is_remembered_answers_questions_about_it_and_nothing_else_does() {
    for (lang, fact, questions) in ASKED {
        let spoken = spoken();
        let resources = loquat_skills::Resources::volatile(std::sync::Arc::clone(spoken.locales()));
        resources.name_to(spoken.things());
        for question in *questions {
            assert_eq!(
                spoken.recognise(question, lang),
                None,
                "{question}: nothing is remembered"
            );
        }
        let toolboxes = crate::tools::own_toolboxes(&resources);
        let memory = toolboxes
            .iter()
            .find(|toolbox| toolbox.id() == "loquat-memory-tools")
            .expect("a toolbox");
        let arguments = serde_json::from_value(serde_json::json!({"fact": fact})).unwrap();
        let person = loquat_agent::toolbox::Circumstances::default();
        memory.call("remember", arguments, &person).await.unwrap();
        for question in *questions {
            let found = spoken.recognise(question, lang).map(|found| found.intent_name);
            assert_eq!(found.as_deref(), Some("memory.recall_known"), "{question}");
        }
        for other in [
            "what is my favourite colour",
            "wann ist Muttertag",
            "where is my hat",
        ] {
            assert_eq!(spoken.recognise(other, lang), None, "{other}");
        }
    }
}

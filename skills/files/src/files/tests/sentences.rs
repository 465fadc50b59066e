//! What people say in six languages, and what they say that is not about files.

use loquat_agent::turn::IntendedCall;
use serde_json::Value;

use loquat_kit::{Intents, Skill};

use crate::files::SKILL;

/// The call of these tools that a sentence asks for.
fn heard(text: &str, lang: &str) -> Option<IntendedCall> {
    loquat_trial::heard(&[&SKILL], text, lang)
}

type Said = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

/// The language, what is said, the tool, its argument and the value.
const SAID: &[Said] = &[
    (
        "en-us",
        "What files are in the folder holiday photos?",
        "list_directory",
        "path",
        "holiday photos",
    ),
    (
        "en-us",
        "what's in the folder called taxes",
        "list_directory",
        "path",
        "taxes",
    ),
    (
        "en-us",
        "Read me the file shopping list",
        "read_file",
        "path",
        "shopping list",
    ),
    (
        "en-us",
        "what does the file called ideas say",
        "read_file",
        "path",
        "ideas",
    ),
    (
        "en-us",
        "find files called tax report",
        "find_files",
        "glob",
        "*tax*report*",
    ),
    (
        "en-us",
        "where is the file named plan",
        "find_files",
        "glob",
        "*plan*",
    ),
    (
        "de-de",
        "Welche Dateien sind im Ordner Urlaub?",
        "list_directory",
        "path",
        "urlaub",
    ),
    (
        "de-de",
        "Lies mir die Datei Einkauf vor",
        "read_file",
        "path",
        "einkauf",
    ),
    (
        "de-de",
        "Suche alle Dateien mit dem Namen Steuer",
        "find_files",
        "glob",
        "*steuer*",
    ),
    (
        "fr-fr",
        "Quels fichiers sont dans le dossier vacances ?",
        "list_directory",
        "path",
        "vacances",
    ),
    ("fr-fr", "Lis le fichier courses", "read_file", "path", "courses"),
    (
        "fr-fr",
        "Trouve les fichiers nommés plan",
        "find_files",
        "glob",
        "*plan*",
    ),
    (
        "es-es",
        "¿Qué archivos hay en la carpeta viaje?",
        "list_directory",
        "path",
        "viaje",
    ),
    ("es-es", "Lee el archivo compras", "read_file", "path", "compras"),
    (
        "es-es",
        "Busca los archivos llamados plan",
        "find_files",
        "glob",
        "*plan*",
    ),
    (
        "pt-pt",
        "Que ficheiros há na pasta férias?",
        "list_directory",
        "path",
        "férias",
    ),
    ("pt-pt", "Lê o ficheiro compras", "read_file", "path", "compras"),
    (
        "pt-pt",
        "Procura os ficheiros chamados plano",
        "find_files",
        "glob",
        "*plano*",
    ),
    (
        "it-it",
        "Quali file ci sono nella cartella viaggio?",
        "list_directory",
        "path",
        "viaggio",
    ),
    ("it-it", "Leggi il file spesa", "read_file", "path", "spesa"),
    (
        "it-it",
        "Trova i file chiamati piano",
        "find_files",
        "glob",
        "*piano*",
    ),
];

#[test]
fn people_are_understood() {
    for (lang, said, tool, argument, value) in SAID {
        let call = heard(said, lang).unwrap_or_else(|| panic!("{said}"));
        assert_eq!(call.tool, *tool, "{said}");
        let given = call
            .arguments
            .get(*argument)
            .and_then(Value::as_str)
            .unwrap_or_default();
        assert_eq!(
            (given.to_lowercase().as_str(), call.arguments.len()),
            (*value, 1),
            "{said}"
        );
    }
}

#[test]
fn what_is_not_about_files_is_left_alone() {
    for (lang, texts) in [
        (
            "en-us",
            &[
                "convert my file to pdf",
                "what is in a name",
                "what's in the fridge",
                "read me a story",
                "find my phone",
                "read me the news",
                "what is in the news",
                "find a restaurant called luigi",
                "delete the file plan",
                "read the file",
                "what files are in the folder",
                "find files",
                "file a complaint about the neighbours",
                "read the file plan and the file ideas and then tell me which of them is longer",
                "open the folder holiday",
            ][..],
        ),
        (
            "de-de",
            &[
                "lies mir etwas vor",
                "was steht in der zeitung",
                "finde mein handy",
                "lösche die datei plan",
            ],
        ),
        (
            "fr-fr",
            &[
                "lis-moi une histoire",
                "trouve mon téléphone",
                "efface le fichier plan",
            ],
        ),
        (
            "es-es",
            &["léeme un cuento", "busca mi teléfono", "borra el archivo plan"],
        ),
        (
            "pt-pt",
            &[
                "lê uma história",
                "procura o meu telemóvel",
                "apaga o ficheiro plano",
            ],
        ),
        (
            "it-it",
            &[
                "leggimi una storia",
                "trova il mio telefono",
                "cancella il file piano",
            ],
        ),
    ] {
        for text in texts {
            assert_eq!(heard(text, lang), None, "{text}");
        }
    }
}

#[test]
fn a_gap_is_a_short_name() {
    let intents = Intents::new([&SKILL], Skill::locales([&SKILL]).into());
    for (intent, slot) in [
        ("files.list", "folder"),
        ("files.read", "file"),
        ("files.find", "name"),
    ] {
        assert!(
            intents.takes(intent, "en-us", slot, "one two three four five six"),
            "{intent}"
        );
        assert!(
            !intents.takes(intent, "en-us", slot, "one two three four five six seven"),
            "{intent}"
        );
    }
    assert!(!intents.takes("files.find", "en-us", "name", "../*"));
}

//! Questions that ask for a deed, in six languages, and what only begins like one.

use crate::Phrases;

/// The order of a question that was said first.
fn order(lang: &str, text: &str) -> Option<String> {
    Phrases::of(lang).plain_order(text, true)
}

#[test]
fn the_verb_behind_an_opening_becomes_that_of_an_order() {
    for (lang, text, expected) in [
        (
            "en",
            "Would you mind dimming the hall lights?",
            "dim the hall lights",
        ),
        ("en", "do you mind shutting the window", "shut the window"),
        ("en", "hey, mind waking me at six?", "hey, wake me at six"),
        (
            "en",
            "and would you mind just pausing the music",
            "and pause the music",
        ),
        (
            "en",
            "I'm boiling. Would you mind lowering the heating?",
            "I'm boiling. lower the heating",
        ),
        (
            "en",
            "any chance of you adding eggs to the list, please?",
            "add eggs to the list, please",
        ),
        (
            "en",
            "would you mind locking the door and setting the alarm",
            "lock the door and set the alarm",
        ),
        (
            "en",
            "do you mind adding milk and reading glasses to my list",
            "add milk and reading glasses to my list",
        ),
        ("en", "how about opening the curtains", "open the curtains"),
        (
            "de",
            "Würde es dir etwas ausmachen, die Heizung runterzudrehen?",
            "die Heizung runterdrehen",
        ),
        (
            "de",
            "sag mal, hättest du was dagegen, die Rollos zu schließen",
            "sag mal, die Rollos schließen",
        ),
        (
            "de",
            "wärst du so lieb, die Lampe auszuschalten und das Fenster zuzumachen",
            "die Lampe ausschalten und das Fenster zumachen",
        ),
        (
            "de",
            "macht's dir was aus mich um sechs zu wecken bitte",
            "mich um sechs wecken bitte",
        ),
        ("de", "wie wär's, das Radio anzumachen", "das Radio anmachen"),
        (
            "fr",
            "Ça te dérangerait de baisser les stores ?",
            "baisse les stores",
        ),
        ("fr", "ça vous dérange d'ouvrir le volet", "ouvre le volet"),
        (
            "fr",
            "voudrais-tu me réveiller à six heures",
            "réveille-moi à six heures",
        ),
        ("fr", "pourquoi ne pas allumer le salon", "allume le salon"),
        (
            "es",
            "¿Te importaría cerrar las persianas?",
            "cierra las persianas",
        ),
        ("es", "oye, ¿te molesta subir el volumen?", "oye, sube el volumen"),
        (
            "es",
            "no te importa despertarme a las seis",
            "despiértame a las seis",
        ),
        ("es", "qué tal encender la lámpara", "enciende la lámpara"),
        (
            "it",
            "Ti dispiacerebbe abbassare le tapparelle?",
            "abbassa le tapparelle",
        ),
        (
            "it",
            "saresti così gentile da svegliarmi alle sei",
            "svegliami alle sei",
        ),
        ("it", "che ne dici di accendere la stufa", "accendi la stufa"),
        ("pt", "Importavas-te de fechar os estores?", "fecha os estores"),
        ("pt", "não te importas de ligar a ventoinha", "liga a ventoinha"),
        ("pt", "que tal apagar a luz do quarto", "apaga a luz do quarto"),
    ] {
        assert_eq!(order(lang, text).as_deref(), Some(expected), "{lang}: {text}");
    }
}

#[test]
fn what_only_begins_like_such_a_question_is_none() {
    for (lang, texts) in [
        (
            "en",
            &[
                "would you mind if I closed the window",
                "would you mind waiting a moment",
                "do you mind me turning the lamp off",
                "I don't mind closing the window",
                "never mind turning it off",
                "would you mind",
                "how about a cup of tea",
                "how about we go swimming",
                "what about the closing ceremony",
                "they mind putting it there",
                "closing the blinds would be nice",
                "mind your own business",
            ][..],
        ),
        (
            "de",
            &[
                "würde es dir etwas ausmachen, kurz zu warten",
                "hättest du etwas dagegen, wenn ich lüfte",
                "es macht mir nichts aus, das Licht auszumachen",
                "wärst du so nett und machst das Licht aus",
                "ich habe vergessen, das Licht auszumachen",
                "wie wäre es mit einem Tee",
            ],
        ),
        (
            "fr",
            &[
                "ça te dérange si j'ouvre la fenêtre",
                "ça te dérange d'attendre un peu",
                "ça me dérange de fermer la fenêtre",
                "veux-tu dire demain",
                "tu veux fermer la fenêtre",
                "pourquoi pas un café",
            ],
        ),
        (
            "es",
            &[
                "te importa si abro la ventana",
                "te importa esperar un momento",
                "me importa cerrar bien la puerta",
                "quieres decir mañana",
                "qué tal un café",
            ],
        ),
        (
            "it",
            &[
                "ti dispiace se apro la finestra",
                "ti dispiace aspettare un attimo",
                "mi dispiace chiudere la finestra",
                "vuoi dire domani",
                "che ne dici di un caffè",
            ],
        ),
        (
            "pt",
            &[
                "importas-te que abra a janela",
                "importas-te de esperar um pouco",
                "não me importo de fechar a janela",
                "queres dizer amanhã",
                "que tal um café",
            ],
        ),
    ] {
        for text in texts {
            assert_eq!(order(lang, text), None, "{lang}: {text}");
        }
    }
}

#[test]
fn what_may_ask_about_something_else_than_before_counts_only_where_nothing_was_before() {
    for (lang, text) in [
        ("en", "how about opening the curtains"),
        ("de", "wie wär's, das Radio anzumachen"),
        ("fr", "pourquoi ne pas allumer le salon"),
        ("es", "qué tal encender la lámpara"),
        ("it", "che ne dici di accendere la stufa"),
        ("pt", "que tal apagar a luz do quarto"),
    ] {
        assert_eq!(Phrases::of(lang).plain_order(text, false), None, "{text}");
    }
    let asked = Phrases::of("en").plain_order("would you mind opening the curtains", false);
    assert_eq!(asked.as_deref(), Some("open the curtains"));
}

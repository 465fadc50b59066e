//! Conversations, and what is there after each turn.

/// What is set, what is told among it, and what is on the shopping list.
pub(super) struct There {
    pub(super) alerts: u64,
    pub(super) among: &'static [&'static str],
    pub(super) list: &'static str,
}

/// A language, and what is said, how the answer begins, and what is there then. `{third day}` stands for the name of that day, for
/// the name of the next one is not told.
pub(super) type Talk = (&'static str, &'static [(&'static str, &'static str, There)]);

const fn set(alerts: u64, among: &'static [&'static str]) -> There {
    There {
        alerts,
        among,
        list: "",
    }
}

const fn list(list: &'static str) -> There {
    There {
        alerts: 0,
        among: &[],
        list,
    }
}

const NOTHING: There = set(0, &[]);

pub(super) const TALKS: &[Talk] = &[
    (
        "en-US",
        &[
            (
                "Set a pasta timer for 8 minutes",
                "Pasta timer set",
                set(1, &["pasta"]),
            ),
            ("Set a timer for 5 minutes", "Timer set", set(2, &["pasta"])),
            (
                "How long is left on the pasta timer?",
                "The pasta timer has",
                set(2, &["pasta"]),
            ),
            ("Cancel it", "Pasta timer cancelled.", set(1, &["300"])),
            ("and dad", "The persona has it.", set(1, &["300"])),
        ],
    ),
    (
        "en-US",
        &[
            (
                "Set a timer for 5 minutes",
                "Timer set for 5 minutes.",
                set(1, &["300"]),
            ),
            ("No, I meant fifteen minutes", "", set(1, &["900"])),
            ("Add two minutes to it", "The timer now has ", set(1, &[])),
            ("And one for the oven, 20 minutes", "", set(2, &["oven"])),
            ("Cancel that", "", set(1, &[])),
            ("How long is left on my timer?", "", set(1, &[])),
        ],
    ),
    (
        "en-US",
        &[
            ("Set a pasta timer for 8 minutes", "", set(1, &["pasta"])),
            ("And the same for the oven", "", set(2, &["oven", "pasta"])),
            ("How long is left on the pasta timer?", "", set(2, &[])),
            ("Pause it", "Pasta timer paused", set(2, &[])),
            ("Resume it", "Pasta timer resumed", set(2, &[])),
            ("Delete it", "Pasta timer cancelled.", set(1, &["oven"])),
            ("and delete the moon", "The persona has it.", set(1, &["oven"])),
        ],
    ),
    (
        "en-US",
        &[
            ("Wake me at six", "", set(1, &["6:00"])),
            ("No, make it half past", "", set(1, &["6:30"])),
            ("and on {third day} too", "", set(2, &["{third day}"])),
            ("no, on {fourth day}", "", set(2, &["{fourth day}"])),
            ("cancel it", "", set(1, &["6:30"])),
        ],
    ),
    (
        "en-US",
        &[
            ("Remind me to call mum at six", "", set(1, &["call mum", "6:00"])),
            ("No, at seven", "", set(1, &["call mum", "7:00"])),
            ("no, tomorrow", "", set(1, &["call mum", "7:00"])),
            ("what about us?", "The persona has it.", set(1, &["call mum"])),
        ],
    ),
    (
        "en-US",
        &[
            (
                "Add milk to my shopping list",
                "I added milk to your shopping list.",
                list("milk"),
            ),
            (
                "and bread",
                "I added bread to your shopping list.",
                list("milk, bread"),
            ),
            (
                "and some butter too",
                "I added butter to your shopping list.",
                list("milk, bread, butter"),
            ),
            ("no, I meant margarine", "", list("milk, bread, margarine")),
            (
                "and call mom",
                "The persona has it.",
                list("milk, bread, margarine"),
            ),
            ("and eggs", "The persona has it.", list("milk, bread, margarine")),
        ],
    ),
    (
        "en-US",
        &[
            (
                "Add milk to my shopping list",
                "I added milk to your shopping list.",
                list("milk"),
            ),
            (
                "Take it off again",
                "I removed milk from your shopping list.",
                NOTHING,
            ),
            ("Undo that", "", list("milk")),
        ],
    ),
    (
        "en-US",
        &[
            ("What is 15 percent of 60?", "That is 9.", NOTHING),
            ("and of 90?", "That is 13.5.", NOTHING),
            ("and 100?", "The persona has it.", NOTHING),
        ],
    ),
    (
        "en-US",
        &[
            (
                "How many kilometers are 5 miles?",
                "That is 8.05 kilometers.",
                NOTHING,
            ),
            ("and 10?", "That is 16.09 kilometers.", NOTHING),
            ("I meant 20", "That is 32.19 kilometers.", NOTHING),
            ("again", "That is 32.19 kilometers.", NOTHING),
        ],
    ),
    (
        "en-US",
        &[
            ("What time is it in Tokyo?", "It is ", NOTHING),
            ("and in New York?", "It is ", NOTHING),
            ("no, in Lima", "It is ", NOTHING),
            ("again", "It is ", NOTHING),
        ],
    ),
    (
        "en-US",
        &[
            ("Roll a die", "It's a ", NOTHING),
            ("again", "It's a ", NOTHING),
            ("once more", "It's a ", NOTHING),
            ("no one", "The persona has it.", NOTHING),
        ],
    ),
    (
        "en-US",
        &[
            (
                "Remember that my locker code is 1234",
                "I will remember that.",
                NOTHING,
            ),
            (
                "and now for something completely different",
                "The persona has it.",
                NOTHING,
            ),
            ("What do you remember about my locker code?", "", NOTHING),
        ],
    ),
    (
        "en-US",
        &[
            (
                "Set a timer for 5 minutes",
                "Timer set for 5 minutes.",
                set(1, &["300"]),
            ),
            ("What time is it in Tokyo?", "It is ", set(1, &["300"])),
            ("and in Lima?", "It is ", set(1, &["300"])),
            ("I meant what I said", "The persona has it.", set(1, &["300"])),
            ("no thank you", "", set(1, &["300"])),
        ],
    ),
    (
        "de-DE",
        &[
            (
                "Stell einen Timer auf 5 Minuten",
                "Der Timer läuft: 5 Minuten.",
                set(1, &["300"]),
            ),
            ("Nein, fünfzehn", "", set(1, &["900"])),
            ("Und einen für den Ofen, 20 Minuten", "", set(2, &["Ofen"])),
            ("Wie lange läuft er noch?", "", set(2, &[])),
            ("Lösch ihn wieder", "", set(1, &["900"])),
        ],
    ),
    (
        "de-DE",
        &[
            ("Setz Milch auf die Einkaufsliste", "", list("Milch")),
            ("und Brot", "", list("Milch, Brot")),
            ("nicht Brot, sondern Käse", "", list("Milch, Käse")),
            ("und tschüss", "The persona has it.", list("Milch, Käse")),
        ],
    ),
    (
        "fr-FR",
        &[
            ("Mets un minuteur de 5 minutes", "", set(1, &["300"])),
            ("non, quinze", "", set(1, &["900"])),
            ("ajoute-lui deux minutes", "", set(1, &[])),
            ("annule-le", "", NOTHING),
        ],
    ),
    (
        "fr-FR",
        &[
            ("Ajoute du lait à la liste de courses", "", list("du lait")),
            ("et du pain", "", list("du lait, du pain")),
            ("et pourquoi pas", "The persona has it.", list("du lait, du pain")),
        ],
    ),
    (
        "es-ES",
        &[
            ("Pon un temporizador de 5 minutos", "", set(1, &["300"])),
            ("no, quería decir quince minutos", "", set(1, &["900"])),
            ("añádele dos minutos", "", set(1, &[])),
            ("bórralo", "", NOTHING),
        ],
    ),
    (
        "es-ES",
        &[
            ("¿Qué hora es en Tokio?", "", NOTHING),
            ("¿y en Madrid?", "", NOTHING),
            ("no, en Lima", "", NOTHING),
        ],
    ),
    (
        "it-IT",
        &[
            ("Imposta un timer di 5 minuti", "", set(1, &["300"])),
            ("no, quindici", "", set(1, &["900"])),
            ("e un altro di 20 minuti", "", set(2, &["1200"])),
            ("cancellalo", "", set(1, &["900"])),
        ],
    ),
    (
        "pt-PT",
        &[
            ("Põe um temporizador de 5 minutos", "", set(1, &["300"])),
            ("não, quinze", "", set(1, &["900"])),
            ("acrescenta-lhe dois minutos", "", set(1, &[])),
            ("apaga-o", "", NOTHING),
        ],
    ),
    (
        "pt-PT",
        &[
            ("Adiciona leite à lista de compras", "", list("leite")),
            ("e pão", "", list("leite, pão")),
            ("e porque não", "The persona has it.", list("leite, pão")),
        ],
    ),
];

//! The words with which people begin what they want to know, and what begins so and asks for a deed all the same: "how about".
//!
//! Each language has a few of them. A question that begins otherwise is not found, and nothing is decided here.

use loquat_sentences::words::words_and_figures;
use loquat_sentences::{Complaint, Fitting, Language, Source, Utterance};
use serde::Deserialize;

/// Steps that comparing one text with a table may take.
const MOST_STEPS: u32 = 20_000;

/// The name of the questions in the table.
const ASKS: &str = "asks";

/// The beginnings of one language.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Asking {
    sentences: Language,
    tells: Vec<String>,
    only_asks: Vec<String>,
}

/// As they are written: templates that end in `{rest}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// What is to be told: `what {rest}`.
    asks: Vec<String>,
    /// What is to be done: `what about {rest}`.
    wants: Vec<String>,
    /// First words of what people tell before they ask.
    tells: Vec<String>,
    /// Words that begin a question behind whatever was told: no relative clause begins with them.
    only_asks: Vec<String>,
}

impl TryFrom<Written> for Asking {
    type Error = Box<Complaint>;

    fn try_from(written: Written) -> Result<Self, Box<Complaint>> {
        let source = Source::of_words([(ASKS, written.asks), ("wants", written.wants)]);
        Ok(Self {
            sentences: Language::whole(&source)?,
            tells: written.tells,
            only_asks: written.only_asks,
        })
    }
}

impl Asking {
    /// Whether a text asks for something to be told, and for nothing to be done: all of it, or its end behind what is told first.
    pub fn is_question(&self, text: &str) -> bool {
        self.begins_as_question(text) || self.ends_as_question(text)
    }

    fn ends_as_question(&self, text: &str) -> bool {
        let text = text.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let mut clauses = text.rsplit([',', '.', ';', ':', '!', '?']);
        let last = clauses.next().unwrap_or_default();
        let is_told_first = || begins_with(text, &self.tells) || begins_with(last, &self.only_asks);
        last.starts_with(char::is_whitespace) && is_told_first() && self.begins_as_question(last)
    }

    fn begins_as_question(&self, text: &str) -> bool {
        let said = words_and_figures(text);
        let mut steps = MOST_STEPS;
        let fits = self
            .sentences
            .fits(&Utterance::new(&said), Fitting::ALL, &mut steps);
        let best = fits.iter().max_by(|one, other| one.score.total_cmp(&other.score));
        best.is_some_and(|best| best.intent == ASKS)
    }
}

fn begins_with(text: &str, words: &[String]) -> bool {
    let said = words_and_figures(text);
    said.first().is_some_and(|first| words.contains(&first.plain))
}

#[cfg(test)]
mod tests {
    use crate::Phrases;

    /// What is a question in a language, and what is none.
    const SAID: [(&str, [&str; 5], [&str; 5]); 6] = [
        (
            "en-US",
            [
                "what's on my list",
                "when does the train leave",
                "Is the garage still open?",
                "do we have any eggs left",
                "how many people live in Peru",
            ],
            [
                "how about some music",
                "when I am back, water the flowers",
                "do not wake me",
                "have the lamp on by nine",
                "can you lower the blinds",
            ],
        ),
        (
            "de-DE",
            [
                "was steht auf der Liste",
                "Wann fährt der Zug?",
                "ist die Garage noch offen",
                "haben wir noch Eier",
                "wie viele Menschen leben in Peru",
            ],
            [
                "wie wäre es mit Musik",
                "wenn ich zurück bin, gieß die Blumen",
                "weck mich nicht",
                "hab die Lampe um neun an",
                "kannst du die Rollos senken",
            ],
        ),
        (
            "fr-FR",
            [
                "qu'est-ce qu'il y a sur ma liste",
                "à quelle heure part le train",
                "est-ce que le garage est ouvert",
                "combien d'habitants a le Pérou",
                "où est mon passeport",
            ],
            [
                "pourquoi pas un peu de musique",
                "quand je rentre, arrose les fleurs",
                "ne me réveille pas",
                "est-ce que tu peux baisser les stores",
                "mets la lampe à neuf heures",
            ],
        ),
        (
            "es-ES",
            [
                "qué hay en mi lista",
                "¿cuándo sale el tren?",
                "a qué hora es la cita",
                "cuántas personas viven en Perú",
                "dónde está mi pasaporte",
            ],
            [
                "qué tal un poco de música",
                "cuando vuelva, riega las flores",
                "no me despiertes",
                "por qué no bajas las persianas",
                "pon la lámpara a las nueve",
            ],
        ),
        (
            "it-IT",
            [
                "cosa c'è sulla mia lista",
                "a che ora parte il treno",
                "quando parte il treno",
                "quante persone vivono in Perù",
                "dov'è il mio passaporto",
            ],
            [
                "che ne dici di un po' di musica",
                "quando torno, annaffia i fiori",
                "non svegliarmi",
                "perché non abbassi le tapparelle",
                "accendi la lampada alle nove",
            ],
        ),
        (
            "pt-PT",
            [
                "o que está na minha lista",
                "a que horas parte o comboio",
                "quando é a consulta",
                "quantas pessoas vivem no Peru",
                "onde está o meu passaporte",
            ],
            [
                "que tal um pouco de música",
                "quando eu voltar, rega as flores",
                "não me acordes",
                "porque não baixas os estores",
                "põe a lâmpada às nove",
            ],
        ),
    ];

    /// What is told first and asked then, and what is told first and is to be done then.
    const TOLD_FIRST: [(&str, &str, &str); 6] = [
        (
            "en-US",
            "My uncle lives in Lima, is it night there?",
            "My uncle is asleep, turn the radio down.",
        ),
        (
            "de-DE",
            "Mein Onkel wohnt in Lima, wie spät ist es dort?",
            "Mein Onkel schläft, mach das Radio leiser.",
        ),
        (
            "fr-FR",
            "Mon oncle habite à Lima, quelle heure est-il là-bas ?",
            "Mon oncle dort, baisse la radio.",
        ),
        (
            "es-ES",
            "Mi tío vive en Lima, ¿qué hora es allí?",
            "Mi tío duerme, baja la radio.",
        ),
        (
            "it-IT",
            "Il nonno vive a Lima, che ore sono lì?",
            "Il nonno dorme, abbassa la radio.",
        ),
        (
            "pt-PT",
            "O meu tio vive em Lima, que horas são lá?",
            "O meu tio dorme, baixa o rádio.",
        ),
    ];

    #[test]
    fn a_question_may_stand_behind_what_is_told_first() {
        for (lang, asks, wants) in TOLD_FIRST {
            let asking = &Phrases::of(lang).asking;
            assert!(asking.is_question(asks), "{lang}: {asks}");
            assert!(!asking.is_question(wants), "{lang}: {wants}");
        }
    }

    #[test]
    fn a_word_that_only_asks_begins_a_question_behind_whatever_was_told() {
        for (lang, asks, wants) in [
            (
                "en-US",
                "Grandma's cups hold 240 grams, how much flour is that?",
                "Grandma needs her cup, which is in the kitchen",
            ),
            (
                "de-DE",
                "Omas Tasse fasst 240 Gramm, wie viel Mehl ist das?",
                "Ruf Oma an, die in der Küche ist",
            ),
            (
                "fr-FR",
                "Mamie prend trois tasses, combien cela fait de grammes ?",
                "Appelle mamie, qui est dans la cuisine",
            ),
            (
                "es-ES",
                "La abuela pide tres tazas, ¿cuántos gramos son?",
                "Llama a la abuela, que está en la cocina",
            ),
            (
                "it-IT",
                "Nonna usa tre tazze, quanti grammi sono?",
                "Chiama nonna, che è in cucina",
            ),
            (
                "pt-PT",
                "Avó quer três chávenas, quantos gramas são?",
                "Liga à avó, que está na cozinha",
            ),
        ] {
            let asking = &Phrases::of(lang).asking;
            assert!(asking.is_question(asks), "{lang}: {asks}");
            assert!(!asking.is_question(wants), "{lang}: {wants}");
        }
    }

    #[test]
    fn what_would_be_is_asked_like_what_is() {
        let asking = &Phrases::of("en-US").asking;
        for text in [
            "when could the plumber come",
            "My aunt opens her shop late, when should she get up?",
            "how would a baker say that",
            "how can we get to the lake",
        ] {
            assert!(asking.is_question(text), "{text}");
        }
        assert!(!asking.is_question("when the plumber could come, tell me"));
        assert!(!asking.is_question("how can you be so loud, turn it down"));
    }

    #[test]
    fn a_question_is_told_from_an_order_in_six_languages() {
        for (lang, asks, wants) in SAID {
            let asking = &Phrases::of(lang).asking;
            for text in asks {
                assert!(asking.is_question(text), "{lang}: {text}");
            }
            for text in wants {
                assert!(!asking.is_question(text), "{lang}: {text}");
            }
        }
    }
}

//! What people say beside an order and that asks for nothing: why they want it ("the sun is in my eyes") and interjections ("right").
//!
//! A clause that may change what the order means is no aside: one with a condition, with what another person said, or with what was
//! meant instead. Nothing is decided here.

use loquat_sentences::words::{Word, words, words_and_figures};
use loquat_sentences::{Complaint, Fitting, Language, Source, Utterance};
use serde::Deserialize;

use crate::following::{leading, plain};

/// Steps that comparing one clause with a table may take.
const MOST_STEPS: u32 = 20_000;

/// As many words that say nothing as stand in front of a clause, and one.
const MOST_JOINS: usize = 4;

/// A longer clause is a story.
const MOST_WORDS: usize = 14;

/// The clauses of one language that ask for nothing.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Asides {
    table: Language,
    telling: Vec<String>,
    joins: Vec<Vec<String>>,
    links: Vec<String>,
    particles: Vec<Vec<String>>,
    hesitations: Vec<String>,
    shortened: Option<Shortened>,
}

/// How the language says that something is by the end of the word before: "the plumber's outside".
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shortened {
    /// The end of the word.
    end: String,
    /// What that stands for.
    word: String,
    /// What stands behind it. In front of other words it tells whose something is.
    before: Vec<String>,
    /// How other words end that stand behind it.
    before_ends: Vec<String>,
}

impl Shortened {
    /// The words with each shortened one in full.
    fn in_full(&self, said: &[Word]) -> Vec<Word> {
        let next = said.iter().skip(1).map(Some).chain([None]);
        let words = said.iter().zip(next).flat_map(|(word, next)| {
            let noun = word.plain.strip_suffix(&self.end);
            match noun.filter(|_| next.is_some_and(|next| self.stands_before(&next.plain))) {
                Some(noun) => vec![bare(noun), bare(&self.word)],
                None => vec![word.clone()],
            }
        });
        words.collect()
    }

    fn stands_before(&self, next: &str) -> bool {
        self.before.iter().any(|word| word == next) || self.before_ends.iter().any(|end| next.ends_with(end))
    }
}

fn bare(word: &str) -> Word {
    Word {
        plain: word.to_owned(),
        said: word.to_owned(),
    }
}

/// As they are written: templates, in which `{rest}` and `{thing}` are any words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// What says how something is.
    says: Vec<String>,
    /// What says nothing.
    fillers: Vec<String>,
    /// Words with which a clause may say more of the order than why.
    telling: Vec<String>,
    /// What stands in front of a clause and says nothing.
    joins: Vec<String>,
    /// Words in front of which a clause ends, also where no comma is heard.
    links: Vec<String>,
    /// Words within a sentence that change nothing of what is asked for: "denn", "actually".
    particles: Vec<String>,
    /// Sounds that people make while they think: "uh".
    hesitations: Vec<String>,
    #[serde(default)]
    shortened: Option<Shortened>,
}

impl TryFrom<Written> for Asides {
    type Error = Box<Complaint>;

    fn try_from(written: Written) -> Result<Self, Box<Complaint>> {
        let source = Source::of_words([("says", written.says), ("fillers", written.fillers)]);
        let joins = written.joins.iter().chain(&written.links);
        let joins = joins.map(|join| plain(join));
        let particles = written.particles.iter().map(|words| plain(words));
        Ok(Self {
            table: Language::whole(&source)?,
            telling: written.telling,
            joins: joins.collect(),
            particles: particles.collect(),
            hesitations: written.hesitations,
            links: written.links,
            shortened: written.shortened,
        })
    }
}

impl Asides {
    /// A text without the sounds that people make while they think, and without the comma in front of one; nothing where there are
    /// none, or nothing else.
    pub fn without_hesitations(&self, text: &str) -> Option<String> {
        let is_one = |word: &str| {
            let letters = word
                .trim_matches(|sign: char| !sign.is_alphanumeric())
                .to_lowercase();
            self.hesitations.contains(&letters)
        };
        let mut kept: Vec<&str> = Vec::new();
        for word in text.split_whitespace() {
            if !is_one(word) {
                kept.push(word);
            } else if let Some(before) = kept.last_mut().filter(|_| word.ends_with(',')) {
                *before = before.trim_end_matches(',');
            }
        }
        let is_shorter = kept.len() < text.split_whitespace().count();
        (is_shorter && !kept.is_empty()).then(|| kept.join(" "))
    }

    /// The words without those that change nothing; nothing where there are none of these, or no others.
    pub fn without_particles(&self, said: &[Word]) -> Option<Vec<Word>> {
        let (mut kept, mut rest) = (Vec::new(), said);
        while let [word, behind @ ..] = rest {
            let lengths = self
                .particles
                .iter()
                .filter_map(|particle| leading(rest, particle));
            let longest = lengths.max();
            rest = if let Some(length) = longest {
                rest.get(length..).unwrap_or_default()
            } else {
                kept.push(word.clone());
                behind
            };
        }
        (!kept.is_empty() && kept.len() < said.len()).then_some(kept)
    }

    /// Whether a clause beside an order asks for nothing and changes nothing of the order.
    pub fn is_aside(&self, clause: &str) -> bool {
        let said = words_and_figures(clause);
        let said = match &self.shortened {
            Some(shortened) => shortened.in_full(&said),
            None => said,
        };
        let is_plain = said.len() <= MOST_WORDS && !self.is_telling(clause);
        let behind = std::iter::successors(Some(said.as_slice()), |said| self.behind_join(said));
        is_plain && behind.take(MOST_JOINS).any(|said| self.is_known(said))
    }

    /// The words behind what stands in front of a clause and says nothing; nothing where nothing does.
    pub fn behind_join<'a>(&self, said: &'a [Word]) -> Option<&'a [Word]> {
        let lengths = self.joins.iter().filter_map(|join| leading(said, join));
        let longest = lengths.filter(|length| *length < said.len()).max()?;
        said.get(longest..)
    }

    /// Whether a word begins a clause that goes on with the one before or gives a reason for it.
    pub fn is_link(&self, word: &str) -> bool {
        self.links.contains(&word.to_lowercase())
    }

    fn is_known(&self, said: &[Word]) -> bool {
        let mut steps = MOST_STEPS;
        let fits = self.table.fits(&Utterance::new(said), Fitting::ALL, &mut steps);
        !fits.is_empty()
    }

    fn is_telling(&self, clause: &str) -> bool {
        let said = words(clause);
        let is_telling = |word: &Word| {
            let is_number = word.plain.contains(|letter: char| letter.is_ascii_digit());
            is_number || self.telling.contains(&word.plain)
        };
        said.iter().any(is_telling)
    }
}

#[cfg(test)]
mod tests {
    use crate::Phrases;

    #[test]
    fn sounds_of_thinking_are_left_out() {
        for (lang, text, fluent) in [
            (
                "en-US",
                "put milk and, uh, butter on it",
                Some("put milk and butter on it"),
            ),
            ("en-US", "Um, what time is it?", Some("what time is it?")),
            (
                "de-DE",
                "die Soße braucht, äh, fünfzehn",
                Some("die Soße braucht fünfzehn"),
            ),
            ("fr-FR", "euh quelle heure est-il", Some("quelle heure est-il")),
            ("de-DE", "ist er da", None),
            ("en-US", "uh", None),
        ] {
            let asides = &Phrases::of(lang).asides;
            assert_eq!(asides.without_hesitations(text).as_deref(), fluent, "{text}");
        }
    }

    /// A language, what is an aside in it, and what is none.
    const SAID: [(&str, &[&str], &[&str]); 6] = [
        (
            "en-US",
            &[
                "the baby is asleep",
                "I'm freezing",
                "it's too dark in here",
                "well",
                "my hands are full",
                "the phone's ringing",
                "we have visitors",
                "that's enough for today",
                "nobody is watching it",
                "I can't sleep",
                "the postman's at the door",
                "my sister's coming up the stairs",
                "your soup's getting cold",
                "Grandpa's in the garden",
                "dinner's nearly ready",
            ],
            &[
                "the kitchen one",
                "the one in the hall",
                "in the kitchen",
                "if it rains",
                "he said",
                "I mean the other one",
                "feed the cat",
                "I want the fan too",
                "not the lamp",
                "it is at 9",
                "who is there",
                "my brother's lamp",
                "the neighbour's dog",
                "Grandpa's favourite song",
            ],
        ),
        (
            "de-DE",
            &[
                "das Baby schläft",
                "mir ist kalt",
                "es ist zu dunkel hier",
                "also",
                "ich habe die Hände voll",
                "wir haben Besuch",
            ],
            &[
                "die in der Küche",
                "wenn es regnet",
                "sagte er",
                "ich meine die andere",
                "nicht die Lampe",
            ],
        ),
        (
            "fr-FR",
            &[
                "j'ai froid",
                "il fait trop sombre ici",
                "bon",
                "le bébé dort",
                "nous avons des invités",
            ],
            &[
                "celle de la cuisine",
                "s'il pleut",
                "il a dit",
                "pas la lampe",
                "dans la cuisine",
            ],
        ),
        (
            "es-ES",
            &[
                "tengo frío",
                "está muy oscuro",
                "bueno",
                "el niño está dormido",
                "hay visita",
            ],
            &[
                "la de la cocina",
                "si llueve",
                "dijo",
                "no la lámpara",
                "en la cocina",
            ],
        ),
        (
            "it-IT",
            &[
                "ho freddo",
                "è troppo buio qui",
                "allora",
                "il bambino sta dormendo",
                "abbiamo ospiti",
            ],
            &[
                "quella della cucina",
                "se piove",
                "ha detto",
                "non la lampada",
                "in cucina",
            ],
        ),
        (
            "pt-PT",
            &[
                "tenho frio",
                "está muito escuro aqui",
                "bem",
                "o bebé está a dormir",
                "temos visitas",
            ],
            &[
                "a da cozinha",
                "se chover",
                "disse ele",
                "não o candeeiro",
                "na cozinha",
            ],
        ),
    ];

    #[test]
    fn what_only_says_why_is_told_from_what_says_which() {
        let mut wrong = Vec::new();
        for (lang, asides, others) in SAID {
            let known = &Phrases::of(lang).asides;
            let of_asides = asides.iter().filter(|clause| !known.is_aside(clause));
            let of_others = others.iter().filter(|clause| known.is_aside(clause));
            wrong.extend(of_asides.chain(of_others).map(|clause| (lang, *clause)));
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

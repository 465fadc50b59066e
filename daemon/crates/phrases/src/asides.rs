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

/// The lists of the table.
const SAYS: &str = "says";
const FILLERS: &str = "fillers";
const MEETS: &str = "meets";

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
    retimes: Vec<String>,
    shortened: Option<Shortened>,
    verbs: Option<Verbs>,
}

/// How a verb is known behind the noun that it tells of, in a language that writes nouns with a capital: "der Hund bellt".
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verbs {
    /// What stands in front of the noun.
    articles: Vec<String>,
    /// Those in front of one thing alone.
    singular: Vec<String>,
    /// How verbs end.
    ends: Vec<String>,
    /// How they end behind one thing.
    singular_ends: Vec<String>,
    /// Other words that end so, and verbs that tell what is to be done.
    others: Vec<String>,
}

impl Verbs {
    /// Whether these words tell what something does.
    fn tell(&self, said: &[Word]) -> bool {
        let [article, noun, verb, ..] = said else {
            return false;
        };
        let is_noun = noun.said.starts_with(char::is_uppercase);
        let is_small = verb.said.starts_with(char::is_lowercase);
        let is_single = self.singular.contains(&article.plain);
        let ends = if is_single {
            &self.singular_ends
        } else {
            &self.ends
        };
        let ends_so = ends.iter().any(|end| verb.plain.ends_with(end));
        let is_verb = is_small && ends_so && !self.others.contains(&verb.plain);
        is_verb && is_noun && self.articles.contains(&article.plain)
    }
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
    /// What tells when something else is than what is asked for: `my {thing} leaves {rest}`.
    meets: Vec<String>,
    /// Words with which that may be about the time of what is asked for.
    retimes: Vec<String>,
    /// Words within a sentence that change nothing of what is asked for: "denn", "actually".
    particles: Vec<String>,
    /// Sounds that people make while they think: "uh".
    hesitations: Vec<String>,
    #[serde(default)]
    shortened: Option<Shortened>,
    #[serde(default)]
    verbs: Option<Verbs>,
}

impl TryFrom<Written> for Asides {
    type Error = Box<Complaint>;

    fn try_from(written: Written) -> Result<Self, Box<Complaint>> {
        let source = Source::of_words([
            (SAYS, written.says),
            (FILLERS, written.fillers),
            (MEETS, written.meets),
        ]);
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
            retimes: written.retimes,
            shortened: written.shortened,
            verbs: written.verbs,
        })
    }
}

impl Asides {
    /// Takes these verbs behind a noun for orders: "die Pumpe einschalten".
    pub(crate) fn know_orders<'a>(&mut self, verbs: impl Iterator<Item = &'a str>) {
        if let Some(known) = &mut self.verbs {
            known.others.extend(verbs.map(str::to_owned));
        }
    }

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
        let said = self.in_full(clause);
        let is_plain = said.len() <= MOST_WORDS && !self.is_telling(clause);
        is_plain && self.is_any_of(&said, &[SAYS, FILLERS])
    }

    /// Whether words tell how or when something is, whatever they are about.
    pub(crate) fn tells(&self, clause: &str) -> bool {
        self.is_any_of(&self.in_full(clause), &[SAYS, MEETS])
    }

    /// Whether a clause tells when something else is than what an order beside it asks for: "my train leaves at ten past seven".
    pub fn is_appointment(&self, clause: &str) -> bool {
        let said = self.in_full(clause);
        let mut words = said.iter().map(|word| &word.plain);
        let is_of_order = words.any(|word| self.retimes.contains(word));
        !is_of_order && said.len() <= MOST_WORDS && self.is_any_of(&said, &[MEETS])
    }

    /// The words of a text, with those in full that are one with the verb behind them: "six's fine".
    pub fn in_full(&self, clause: &str) -> Vec<Word> {
        let said = words_and_figures(clause);
        let shortened = self.shortened.as_ref();
        shortened.map_or_else(|| said.clone(), |shortened| shortened.in_full(&said))
    }

    /// Whether the words, or those behind what joins them, are in one of these lists.
    fn is_any_of(&self, said: &[Word], lists: &[&str]) -> bool {
        let behind = std::iter::successors(Some(said), |said| self.behind_join(said));
        behind.take(MOST_JOINS).any(|said| self.is_known(said, lists))
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

    fn is_known(&self, said: &[Word], lists: &[&str]) -> bool {
        let mut steps = MOST_STEPS;
        let asked = Fitting {
            is_meant: &|list| lists.contains(&list),
            takes: None,
        };
        let fits = self.table.fits(&Utterance::new(said), asked, &mut steps);
        let tells = || self.verbs.as_ref().is_some_and(|verbs| verbs.tell(said));
        !fits.is_empty() || lists.contains(&SAYS) && tells()
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

    #[test]
    fn what_is_at_another_time_is_told_from_when_the_order_is_for() {
        let asides = &Phrases::of("en-US").asides;
        for clause in [
            "my shift starts at six",
            "we have guests at eight",
            "the bank closes at four",
        ] {
            assert!(asides.is_appointment(clause), "{clause}");
        }
        for clause in [
            "it starts at six",
            "I need it by six",
            "the alarm is at six",
            "we said six",
        ] {
            assert!(!asides.is_appointment(clause), "{clause}");
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
                "der Hund bellt",
                "die Nachbarn feiern schon wieder",
                "das Wasser kochte eben noch",
            ],
            &[
                "die Lampe daneben",
                "das Licht oben",
                "der Timer seit gestern",
                "das Radio drüben",
                "der Ventilator drinnen",
                "die Heizung anstellen",
                "die Fenster schließen",
                "das Radio laufen",
                "die Fenster sollen zu",
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

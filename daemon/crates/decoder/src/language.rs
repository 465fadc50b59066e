//! What the program knows of each language, out of one file each in `daemon/locale`, read once.
//!
//! Of a file this reads what the agent needs: the language's name, the labels and words by which replies are read, and
//! examples. The other sections are read by those whose they are. Nothing here finds out which language is spoken.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The languages that have a file, by primary subtag. English comes first, since others fall back to it.
pub const FILES: &[(&str, &str)] = &[
    ("en", include_str!("../../../locale/en.toml")),
    ("de", include_str!("../../../locale/de.toml")),
    ("fr", include_str!("../../../locale/fr.toml")),
    ("es", include_str!("../../../locale/es.toml")),
    ("pt", include_str!("../../../locale/pt.toml")),
    ("it", include_str!("../../../locale/it.toml")),
    ("nl", include_str!("../../../locale/nl.toml")),
    ("ca", include_str!("../../../locale/ca.toml")),
];

/// The languages that share a file, since a name and a few words are all that is known of them.
const FURTHER: &str = include_str!("../../../locale/further.toml");

/// What replies are read by in a language, and what the agent tells a model in it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// The name in English: small models know "Portuguese" better than "pt-PT".
    pub name: String,
    /// What stands before a line of a reply and tells what the line is.
    #[serde(default)]
    pub labels: Labels,
    /// Words that a reply or a question is understood by.
    #[serde(default)]
    pub words: Words,
    /// How numbers are written in words.
    #[serde(default)]
    pub numbers: Numbers,
    /// How a deed is claimed, promised or asked for.
    #[serde(default)]
    pub deeds: Deeds,
    /// How a fact is told that a small model may have wrong.
    #[serde(default)]
    pub unsure: Unsure,
    /// None in English, of which the instructions have their own.
    pub examples: Option<Examples>,
    /// How dates are written.
    #[serde(default)]
    pub dates: Dates,
    #[serde(rename = "spoken")]
    _read_by_the_skills: Option<IgnoredAny>,
    #[serde(rename = "phrases")]
    _read_by_the_daemon: Option<IgnoredAny>,
}

/// Reads the names of the months out of what the clock reads about dates.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Dates {
    /// The names of the months, January first.
    pub months: Vec<String>,
}

/// Brains write these in front of a line to tell what it is, in lower case. An observation is shown without them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Labels {
    /// They stand before what the model thinks.
    pub thought: Vec<String>,
    /// Before the name of a tool.
    pub action: Vec<String>,
    /// Before the arguments of a call.
    pub input: Vec<String>,
    /// Before the result of a call.
    pub observation: Vec<String>,
    /// Before what is said to the person.
    pub answer: Vec<String>,
    /// Before a question that the model asks itself.
    pub follow_up: Vec<String>,
    /// Before its own answer to such a question.
    pub intermediate_answer: Vec<String>,
    /// Before the answer within a line of thought, as in "So the final answer is".
    pub conclusion: Vec<String>,
}

/// Words by which a text is understood, in lower case.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    /// They mean a step of a plan.
    pub step: Vec<String>,
    /// Words for other things that are numbered as steps are.
    pub stage: Vec<String>,
    /// They mean "not".
    pub negation: Vec<String>,
    /// They stand between a score and the best one.
    pub out_of: Vec<String>,
    /// Between the ends of a scale.
    pub up_to: Vec<String>,
    /// They mean a scale.
    pub scale: Vec<String>,
    /// They stand between one wish and another.
    pub joining: Vec<String>,
}

/// Numbers in words, in lower case.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Numbers {
    /// Each word is a number.
    pub words: BTreeMap<String, u32>,
    /// They stand behind a number of hundredths.
    pub percent: Vec<String>,
    #[serde(rename = "minus")]
    _read_by_the_skills_alone: Option<IgnoredAny>,
    #[serde(rename = "decimal")]
    _read_by_the_skills: Option<IgnoredAny>,
    #[serde(rename = "thousands")]
    _also_read_by_the_skills: Option<IgnoredAny>,
}

/// Words by which an answer says that something was done, or will be, in lower case.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Deeds {
    /// "I have", "has been".
    pub openings: Vec<String>,
    /// Words such as "set" and "switched". They count behind an opening in a sentence without a negation.
    pub done: Vec<String>,
    /// "The light is on": what an answer without a call cannot know, unless an earlier one told of a deed.
    pub states: Vec<String>,
    /// "Timer set", "is now locked": what tells of a deed without an opening.
    pub reports: Vec<String>,
    /// "I will": what an answer without a call says to no effect, since nothing follows it.
    pub promises: Vec<String>,
    /// "Switch", "play". They count behind a promise in a sentence without a negation.
    pub to_do: Vec<String>,
}

/// How a fact is told that a small model may have wrong.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Unsure {
    /// "I think:", which stands before the sentence; empty where no words are known.
    pub opening: String,
    /// Says whether a capital letter within a sentence marks a name, as it does not in German.
    pub names_are_capital: bool,
}

/// Answers that call no tool. A small model answers as its examples do: shown in English alone, it promises in German what
/// it declines in English.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// Asks who painted the Mona Lisa.
    pub painter: String,
    /// Asks how it is going.
    pub greeting: String,
    /// Answers any wish that no tool fulfils. There is one answer for all of them, since a model then repeats it most
    /// surely.
    pub apology: String,
}

/// The languages by primary subtag, in the order of the files.
#[expect(
    clippy::expect_used,
    reason = "the files are embedded, and a test reads every one of them"
)]
static LANGUAGES: LazyLock<Vec<(String, Language)>> = LazyLock::new(|| {
    let read = |source| toml::from_str(source).expect("a language file that a test has read");
    let files = FILES
        .iter()
        .map(|(tag, source)| ((*tag).to_owned(), read(source)));
    let further: BTreeMap<_, _> = toml::from_str(FURTHER).expect("the shared language file");
    files.chain(further).collect()
});

/// Collects the words of one kind in every language.
pub fn in_all(kind: fn(&Language) -> &[String]) -> impl Iterator<Item = &'static str> {
    let lists = LANGUAGES.iter().map(move |(_, language)| kind(language));
    lists.flatten().map(String::as_str)
}

/// Writes `Portuguese (pt-PT)`; the tag alone for a language that is not known.
pub fn name(tag: &str) -> String {
    let tag = tag.trim();
    match known(tag) {
        Some(language) => format!("{} ({tag})", language.name),
        None => tag.to_owned(),
    }
}

/// Finds the language of a tag. There is none for one that is not known, and for English, in which the instructions
/// are written.
pub fn foreign(tag: &str) -> Option<&'static Language> {
    known(tag).filter(|language| language.name != "English")
}

/// Gives the language that is spoken; English where none or an unknown one is.
pub fn spoken(tag: Option<&str>) -> &'static Language {
    static UNKNOWN: LazyLock<Language> = LazyLock::new(Language::default);
    tag.and_then(known).or_else(|| known("en")).unwrap_or(&UNKNOWN)
}

fn known(tag: &str) -> Option<&'static Language> {
    let primary = tag.trim().split(['-', '_']).next()?.to_ascii_lowercase();
    let (_, language) = LANGUAGES.iter().find(|(tag, _)| *tag == primary)?;
    Some(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys<'t>(file: &'t toml::Table, section: &str) -> Vec<&'t String> {
        let table = file.get(section).and_then(toml::Value::as_table);
        table.map(|table| table.keys().collect()).unwrap_or_default()
    }

    #[test]
    fn every_file_has_every_key() {
        let files = FILES
            .iter()
            .map(|(tag, source)| (*tag, toml::from_str(source).unwrap()));
        let files: Vec<(&str, toml::Table)> = files.collect();
        for (tag, file) in &files {
            for section in ["labels", "words", "numbers", "deeds", "unsure"] {
                assert_eq!(keys(file, section), keys(&files[0].1, section), "{tag} {section}");
            }
            assert!(file.contains_key("dates"), "{tag}");
            assert_eq!(file.contains_key("examples"), *tag != "en", "{tag}");
        }
        assert_eq!(keys(&files[0].1, "labels").len(), 8);
    }

    #[test]
    fn a_language_is_known_by_its_tag_in_any_form() {
        assert_eq!(name(" pt-PT "), "Portuguese (pt-PT)");
        assert_eq!(name("tlh"), "tlh");
        let foreign = |tag| foreign(tag).map(|language| language.name.as_str());
        assert_eq!(foreign("PT_br"), Some("Portuguese"));
        assert_eq!(foreign("uk"), Some("Ukrainian"));
        assert_eq!((foreign("en-GB"), foreign("tlh")), (None, None));
    }
}

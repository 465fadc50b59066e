//! How well each of many tools fits an utterance, cheaply and in any language.
//!
//! Compared are the sentences with which people ask for a tool, where they are known, and its name, arguments and description.
//! Of the sentences the one that is most like the utterance counts, not their sum: a tool with many is not more likely. Words
//! are alike when they share runs of three letters, so that inflected and compound words count, too; what few tools share
//! counts more than what all share. No model and no word list is needed, and nothing here decides what is called.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use crate::toolbox::Tool;

/// Descriptions longer than this say nothing new.
const LONGEST: usize = 600;

/// An utterance has no more words that count.
const MOST_WORDS: usize = 40;

/// Words less alike than this have nothing to do with each other.
const ALIKE: f64 = 0.5;

/// What words that are only alike count of what equal ones do.
const ALIKE_WEIGHT: f64 = 0.7;

/// What the kind of a gap counts of what a word does that as few tools have.
const GAP_WEIGHT: f64 = 1.0;

/// What is in the gaps of a sentence counts no more than its words and this: a number alone speaks for no tool.
const GAPS_ALONE: f64 = 1.0;

/// What a sentence counts, and what a name, a description and the arguments do beside it.
const WEIGHTS: [f64; 4] = [2.0, 1.0, 1.0, 0.5];

/// What speaks for the best tool of a toolbox speaks so much for each of it: who asks what is on a list uses words of those who
/// put things there.
const KINSHIP: f64 = 0.7;

/// From this score and this share of what was said on a sentence makes it sure that its tool is meant: greetings are as like
/// some sentence, and have no words of worth.
const SURE_SCORE: f64 = 6.0;
const SURE_SHARE: f64 = 0.45;

/// From this share on a tool is worth a word.
const NEAR_SHARE: f64 = 0.3;

/// A longer text holds more by chance: so many words are added to the length by which each of these is divided.
const LENGTHS: [f64; 4] = [3.0, 2.0, 8.0, 8.0];

/// A sentence by which a tool is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Way {
    /// What its gaps belong to.
    intent: String,
    words: BTreeSet<String>,
    gaps: BTreeSet<String>,
    /// Its shortest form has dots in the place of its gaps.
    shortest: String,
    /// That has so many words.
    least: usize,
}

impl Way {
    /// A sentence of this intent, in all of its words and with these gaps, and its shortest form, in which gaps stand in braces.
    pub fn new(intent: &str, sentence: &str, gaps: impl IntoIterator<Item = String>, shortest: &str) -> Self {
        let words_of = shortest.split_whitespace();
        let dotted = words_of.map(|word| if word.contains('{') { "…" } else { word });
        Self {
            intent: intent.to_owned(),
            words: words(sentence).into_iter().collect(),
            gaps: gaps.into_iter().collect(),
            shortest: dotted.collect::<Vec<_>>().join(" "),
            least: shortest.split_whitespace().count(),
        }
    }

    /// Its shortest form as a person may say it, with dots for what fills its gaps.
    pub fn shortest(&self) -> &str {
        &self.shortest
    }
}

/// What was said: its words, and the gaps of intents that a part of it can fill and most words could not.
#[derive(Debug, Default)]
pub struct Said {
    words: Vec<String>,
    gaps: HashSet<(String, String)>,
}

impl Said {
    /// These words, of which the gaps are filled: intent and gap.
    pub fn new(text: &str, gaps: HashSet<(String, String)>) -> Self {
        let mut seen = HashSet::new();
        let mut words = words(text);
        words.retain(|word| seen.insert(word.clone()));
        words.truncate(MOST_WORDS);
        Self { words, gaps }
    }
}

/// What a tool says of itself.
#[derive(Debug)]
pub struct Told {
    name: BTreeSet<String>,
    description: BTreeSet<String>,
    arguments: BTreeSet<String>,
}

impl Told {
    /// Reads it.
    pub fn of(tool: &Tool) -> Self {
        let properties = tool.argument_schema.get("properties").and_then(Value::as_object);
        let mut arguments = String::new();
        for (name, property) in properties.into_iter().flatten() {
            let said = property.get("description").and_then(Value::as_str);
            let options = property.get("enum").map(Value::to_string);
            for part in [Some(name.as_str()), said, options.as_deref()]
                .into_iter()
                .flatten()
            {
                arguments.push(' ');
                arguments.extend(part.chars().take(LONGEST));
            }
        }
        let description: String = tool.description.chars().take(LONGEST).collect();
        Self {
            name: words(&tool.name).into_iter().collect(),
            description: words(&description).into_iter().collect(),
            arguments: words(&arguments).into_iter().collect(),
        }
    }
}

/// A tool, and the sentences with which people ask for it.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// It belongs to this toolbox.
    pub toolbox_id: &'a str,
    /// What it says of itself.
    pub told: &'a Told,
    /// May be none.
    pub ways: &'a [Way],
}

impl<'a> Candidate<'a> {
    fn words(&self) -> impl Iterator<Item = &'a String> + use<'a> {
        let Told {
            name,
            description,
            arguments,
        } = self.told;
        let told = name.iter().chain(description).chain(arguments);
        told.chain(self.ways.iter().flat_map(|way: &'a Way| &way.words))
    }

    fn fills(&self, said: &Said, gap: &str) -> bool {
        self.ways
            .iter()
            .any(|way| way.gaps.contains(gap) && way.fills(said, gap))
    }
}

impl Way {
    fn fills(&self, said: &Said, gap: &str) -> bool {
        said.gaps.contains(&(self.intent.clone(), gap.to_owned()))
    }
}

/// How well a tool fits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Fit {
    /// The higher the better; zero when nothing fits.
    pub score: f64,
    /// One of its sentences has enough of what was said for the tool to be worth a word; talk is as like some sentence, in less.
    pub is_near: bool,
    /// It has so much of it, in words that few tools share, that hardly another is meant.
    pub is_sure: bool,
    /// The place of the sentence that is most like what was said, where one is like it at all.
    pub way: Option<usize>,
}

/// Tells how well each tool fits, in their order.
pub fn fits(said: &Said, candidates: &[Candidate<'_>]) -> Vec<Fit> {
    let weighed = Weighed::new(said, candidates);
    let own: Vec<Fit> = candidates
        .iter()
        .map(|candidate| weighed.fit(said, candidate))
        .collect();
    let mut best: HashMap<&str, f64> = HashMap::new();
    for (candidate, fit) in candidates.iter().zip(&own) {
        let best = best.entry(candidate.toolbox_id).or_default();
        *best = best.max(fit.score);
    }
    let kin = |candidate: &Candidate<'_>| best.get(candidate.toolbox_id).copied().unwrap_or_default();
    let fit = |(candidate, fit): (&Candidate<'_>, Fit)| Fit {
        score: fit.score + KINSHIP * kin(candidate),
        ..fit
    };
    candidates.iter().zip(own).map(fit).collect()
}

/// The words of an utterance, with what each is worth and the words of tools that are like it.
struct Weighed<'a> {
    words: Vec<(f64, HashMap<&'a str, f64>)>,
    gaps: HashMap<&'a str, f64>,
}

impl<'a> Weighed<'a> {
    fn new(said: &'a Said, candidates: &[Candidate<'a>]) -> Self {
        let mut holders: HashMap<&str, usize> = HashMap::new();
        for candidate in candidates {
            let own: HashSet<&str> = candidate.words().map(String::as_str).collect();
            for word in own {
                *holders.entry(word).or_default() += 1;
            }
        }
        let known: Vec<(&str, HashSet<String>)> = holders.keys().map(|word| (*word, runs(word))).collect();
        let rarity =
            |count: usize| (1.0 + (candidates.len() as f64 - count as f64 + 0.5) / (count as f64 + 0.5)).ln();
        let weigh = |word: &'a String| {
            let own = runs(word);
            let alike = known.iter().filter_map(|(other, runs)| {
                let likeness = if *other == word {
                    1.0
                } else {
                    ALIKE_WEIGHT * likeness(&own, runs)
                };
                (likeness > 0.0).then_some((*other, likeness))
            });
            let alike: HashMap<&str, f64> = alike.collect();
            let count = holders.get(word.as_str()).copied().unwrap_or_else(|| {
                let has_one = |candidate: &&Candidate<'_>| {
                    candidate.words().any(|word| alike.contains_key(word.as_str()))
                };
                candidates.iter().filter(has_one).count()
            });
            (if count == 0 { 0.0 } else { rarity(count) }, alike)
        };
        let names: HashSet<&str> = said.gaps.iter().map(|(_, gap)| gap.as_str()).collect();
        let gap = |gap: &'a str| {
            let count = candidates
                .iter()
                .filter(|candidate| candidate.fills(said, gap))
                .count();
            (gap, GAP_WEIGHT * rarity(count.max(1)))
        };
        Self {
            words: said.words.iter().map(weigh).collect(),
            gaps: names.into_iter().map(gap).collect(),
        }
    }

    fn fit(&self, said: &Said, candidate: &Candidate<'_>) -> Fit {
        let told = candidate.told;
        let gaps = |way: &Way| {
            let gaps = way.gaps.iter().filter(|gap| way.fills(said, gap));
            gaps.map(|gap| self.gap(gap)).sum::<f64>()
        };
        let way = |way: &Way| {
            let words = self.shared(&way.words);
            (words + gaps(way).min(words + GAPS_ALONE)) / (way.least as f64 + LENGTHS[0]).sqrt()
        };
        let text =
            |text: &BTreeSet<String>, added: f64| self.shared(text) / (text.len() as f64 + added).sqrt();
        let scored = candidate.ways.iter().map(way).enumerate();
        let best = scored.max_by(|(_, one), (_, other)| one.total_cmp(other));
        let best = best.filter(|(_, score)| *score > 0.0);
        let parts = [
            best.map_or(0.0, |(_, score)| score),
            text(&told.name, LENGTHS[1]),
            text(&told.description, LENGTHS[2]),
            text(&told.arguments, LENGTHS[3]),
        ];
        let score = parts
            .iter()
            .zip(WEIGHTS)
            .map(|(part, weight)| part * weight)
            .sum();
        let most = candidate
            .ways
            .iter()
            .map(|way| self.shared(&way.words))
            .fold(0.0, f64::max);
        let all: f64 = self.words.iter().map(|(worth, _)| worth).sum();
        Fit {
            score,
            is_near: most > 0.0 && most >= NEAR_SHARE * all,
            is_sure: score >= SURE_SCORE && most >= SURE_SHARE * all,
            way: best.map(|(place, _)| place),
        }
    }

    fn gap(&self, gap: &str) -> f64 {
        self.gaps.get(gap).copied().unwrap_or_default()
    }

    /// What of the utterance a text has.
    fn shared(&self, text: &BTreeSet<String>) -> f64 {
        let best = |alike: &HashMap<&str, f64>| {
            let known = alike.iter().filter(|(word, _)| text.contains(**word));
            known.map(|(_, likeness)| *likeness).fold(0.0, f64::max)
        };
        let words = self.words.iter().filter(|(worth, _)| *worth > 0.0);
        words.map(|(worth, alike)| worth * best(alike)).sum()
    }
}

/// The runs of three letters in a word, its ends among them.
fn runs(word: &str) -> HashSet<String> {
    let letters: Vec<char> = std::iter::once('^').chain(word.chars()).chain(['$']).collect();
    letters.windows(3).map(|run| run.iter().collect()).collect()
}

/// How many runs two words share, from nothing to one; nothing where these are few.
fn likeness(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let all = one.len() + other.len();
    // Words of very different lengths share few, and need not be compared.
    if one.len().min(other.len()) * 3 < all - one.len().min(other.len()) {
        return 0.0;
    }
    let shared = one.intersection(other).count();
    let likeness = 2.0 * shared as f64 / all.max(1) as f64;
    if likeness < ALIKE { 0.0 } else { likeness }
}

/// Cuts a text into words in lower case. `setLightLevel` and `set_light_level` are three. Chinese and Japanese are written
/// without blanks, and their words are short: each two signs are one.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for letter in text.chars() {
        if !letter.is_alphanumeric() || (small && letter.is_uppercase()) {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words
                .last_mut()
                .into_iter()
                .for_each(|word| word.extend(letter.to_lowercase()));
        }
        small = letter.is_lowercase();
    }
    words.retain(|word| word.chars().count() > 1 || word.parse::<u8>().is_ok());
    words.into_iter().flat_map(pairs).collect()
}

fn pairs(word: String) -> Vec<String> {
    if !word.contains(|letter: char| letter >= '\u{2e80}') {
        return vec![word];
    }
    let signs: Vec<char> = word.chars().collect();
    let pairs = signs.windows(2).map(|pair| pair.iter().collect());
    pairs.collect()
}

/// Scores by what tools say of themselves alone.
pub(crate) fn scores_told<'t>(utterance: &str, tools: impl Iterator<Item = (&'t str, &'t Told)>) -> Vec<f64> {
    let candidate = |(toolbox_id, told)| Candidate {
        toolbox_id,
        told,
        ways: &[],
    };
    let candidates: Vec<Candidate<'_>> = tools.map(candidate).collect();
    let fits = fits(&Said::new(utterance, HashSet::new()), &candidates);
    fits.into_iter().map(|fit| fit.score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> [Tool; 5] {
        [
            Tool::safe("b", "get_weather", "Tells the weather of a place."),
            Tool::safe(
                "b",
                "setLightLevel",
                "Makes the light of a room brighter or darker.",
            ),
            Tool::safe("b", "timer_start", "Starts a timer that rings after a while."),
            Tool::safe("b", "wecker_stellen", "Stellt den Wecker auf eine Uhrzeit."),
            Tool::safe("b", "天気", "場所の天気を教えます。"),
        ]
    }

    /// The names of the tools, best first; the first of them has these ways.
    fn ranked(said: &Said, ways: &[Way]) -> Vec<String> {
        let tools = tools();
        let told: Vec<Told> = tools.iter().map(Told::of).collect();
        let candidates: Vec<_> = told
            .iter()
            .zip([ways, &[], &[], &[], &[]])
            .zip(["a", "b", "c", "d", "e"])
            .map(|((told, ways), toolbox_id)| Candidate {
                toolbox_id,
                told,
                ways,
            })
            .collect();
        let mut order: Vec<(f64, &str)> = fits(said, &candidates)
            .into_iter()
            .zip(&tools)
            .map(|(fit, tool)| (fit.score, tool.name.as_str()))
            .collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        order.into_iter().map(|(_, name)| name.to_owned()).collect()
    }

    fn first(utterance: &str) -> String {
        ranked(&Said::new(utterance, HashSet::new()), &[]).remove(0)
    }

    #[test]
    fn the_tool_that_fits_comes_first_in_any_language() {
        assert_eq!(first("How will the weather be in Lyon?"), "get_weather");
        assert_eq!(first("make the lights a bit brighter"), "setLightLevel");
        assert_eq!(first("start timers please"), "timer_start");
        assert_eq!(first("Stell meinen Wecker auf sieben Uhr"), "wecker_stellen");
        assert_eq!(first("東京の天気は？"), "天気");
    }

    #[test]
    fn what_fits_nothing_scores_nothing() {
        let told = Told::of(&Tool::safe("b", "get_weather", "Tells it."));
        assert_eq!(scores_told("Zz?", std::iter::once(("b", &told))), [0.0]);
        assert!(scores_told("", std::iter::empty()).is_empty());
    }

    #[test]
    fn a_sentence_for_a_tool_goes_before_what_others_say_of_themselves() {
        let way = Way::new(
            "umbrella",
            "(shall|should) i take an umbrella",
            Vec::new(),
            "shall i take an umbrella",
        );
        let said = Said::new("should one take umbrellas after a while", HashSet::new());
        assert_eq!(ranked(&said, &[]).remove(0), "timer_start");
        assert_eq!(ranked(&said, &[way]).remove(0), "get_weather");
    }

    #[test]
    fn a_gap_that_is_filled_counts_as_a_word_does() {
        let way = Way::new("forecast", "how is it", ["day".to_owned()], "how is it");
        let filled = |gaps: &[(&str, &str)]| {
            let gaps = gaps
                .iter()
                .map(|(intent, gap)| ((*intent).to_owned(), (*gap).to_owned()));
            ranked(
                &Said::new("after friday", gaps.collect()),
                std::slice::from_ref(&way),
            )
            .remove(0)
        };
        assert_eq!(filled(&[("forecast", "day")]), "get_weather");
        assert_ne!(filled(&[("another", "day")]), "get_weather");
    }

    #[test]
    fn what_fits_one_tool_of_a_box_speaks_for_the_others_of_it() {
        let [weather, light, ..] = tools().map(|tool| Told::of(&tool));
        let scored = |of_light: &str| {
            let tools = [("air", &weather), (of_light, &light)];
            scores_told("the weather in Lyon", tools.into_iter())
        };
        let [alone, kin] = [scored("lamps"), scored("air")];
        assert!(
            alone[0] > alone[1] && kin[0] > kin[1] && kin[1] > alone[1],
            "{alone:?} {kin:?}"
        );
    }

    #[test]
    fn the_best_sentence_counts_and_not_the_number_of_them() {
        let one = Way::new("a", "start it over", Vec::new(), "start it over");
        let said = Said::new("start the timer", HashSet::new());
        let many: Vec<Way> = std::iter::repeat_n(one, 20).collect();
        assert_eq!(ranked(&said, &many).remove(0), "timer_start");
    }
}

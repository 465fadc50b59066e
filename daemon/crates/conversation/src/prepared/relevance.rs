//! How well each of many tools fits an utterance, cheaply and in any language.
//!
//! Words and runs of three letters are compared, so that inflected and compound words and scripts without blanks count,
//! too. What few tools share counts more than what all share. No model and no word list is needed.

use std::collections::{HashMap, HashSet};

use crate::toolbox::Tool;

/// Descriptions longer than this say nothing new.
const LONGEST: usize = 600;

/// The words of a tool's name tell more than those of its description.
const NAME_WEIGHT: f64 = 2.0;

#[derive(Debug)]
pub(crate) struct Told {
    name: HashSet<String>,
    rest: HashSet<String>,
}

impl Told {
    /// Reads it.
    pub(super) fn of(tool: &Tool) -> Self {
        let properties = tool
            .argument_schema
            .get("properties")
            .and_then(|all| all.as_object());
        let arguments = properties.into_iter().flat_map(serde_json::Map::keys);
        let description: String = tool.description.chars().take(LONGEST).collect();
        let rest = arguments.fold(description, |text, name| format!("{text} {name}"));
        Self {
            name: marks(&tool.name),
            rest: marks(&rest),
        }
    }

    fn holds(&self, mark: &String) -> bool {
        self.name.contains(mark) || self.rest.contains(mark)
    }
}

/// Gives one score for each tool, in their order. It is the higher the better the tool fits, and zero when nothing
/// fits.
pub(crate) fn scores<'t>(utterance: &str, tools: impl Iterator<Item = &'t Told>) -> Vec<f64> {
    let told: Vec<&Told> = tools.collect();
    let total = told.len() as f64;
    let wanted: HashMap<String, f64> = marks(utterance)
        .into_iter()
        .filter_map(|mark| {
            let holders = told.iter().filter(|tool| tool.holds(&mark)).count();
            (holders > 0).then(|| (mark, (1.0 + total / holders as f64).ln()))
        })
        .collect();
    let shared = |marks: &HashSet<String>| {
        let known = wanted.iter().filter(|(mark, _)| marks.contains(*mark));
        known.map(|(_, rarity)| rarity).sum::<f64>()
    };
    told.iter()
        .map(|tool| {
            // A long description holds more by chance.
            shared(&tool.name) * NAME_WEIGHT / (tool.name.len() as f64 + 4.0).sqrt()
                + shared(&tool.rest) / (tool.rest.len() as f64 + 16.0).sqrt()
        })
        .collect()
}

/// The words of a text and the runs of letters in them.
fn marks(text: &str) -> HashSet<String> {
    let mut marks = HashSet::new();
    for word in words(text) {
        let letters: Vec<char> = word.chars().collect();
        // Chinese and Japanese words are short: two signs are a word.
        let run = if letters.iter().any(|letter| *letter >= '\u{2e80}') {
            2
        } else {
            3
        };
        marks.extend(letters.windows(run).map(|run| run.iter().collect::<String>()));
        marks.insert(word);
    }
    marks
}

/// Cuts a text into words in lower case. `setLightLevel` and `set_light_level` are three.
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
    words.retain(|word| word.chars().count() > 1);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the tools, best first.
    fn ranked(utterance: &str) -> Vec<String> {
        let tools = [
            Tool::safe("b", "get_weather", "Tells the weather of a place."),
            Tool::safe(
                "b",
                "setLightLevel",
                "Makes the light of a room brighter or darker.",
            ),
            Tool::safe("b", "timer_start", "Starts a timer that rings after a while."),
            Tool::safe("b", "wecker_stellen", "Stellt den Wecker auf eine Uhrzeit."),
            Tool::safe("b", "天気", "場所の天気を教えます。"),
        ];
        let told: Vec<Told> = tools.iter().map(Told::of).collect();
        let scores = scores(utterance, told.iter());
        let mut order: Vec<(f64, &str)> = scores
            .into_iter()
            .zip(&tools)
            .map(|(score, tool)| (score, tool.name.as_str()))
            .collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        order.into_iter().map(|(_, name)| name.to_owned()).collect()
    }

    #[test]
    fn the_tool_that_fits_comes_first_in_any_language() {
        assert_eq!(ranked("How will the weather be in Lyon?")[0], "get_weather");
        assert_eq!(ranked("make the lights a bit brighter")[0], "setLightLevel");
        assert_eq!(ranked("start timers please")[0], "timer_start");
        assert_eq!(ranked("Stell meinen Wecker auf sieben Uhr")[0], "wecker_stellen");
        assert_eq!(ranked("東京の天気は？")[0], "天気");
    }

    #[test]
    fn what_fits_nothing_scores_nothing() {
        let told = Told::of(&Tool::safe("b", "get_weather", "Tells it."));
        assert_eq!(scores("Zz?", std::iter::once(&told)), [0.0]);
        assert!(scores("", std::iter::empty()).is_empty());
    }
}

//! Times, lengths and days in the calls of a small brain: what was said counts, and not what the brain made of it.
//!
//! A model of few parameters chooses a tool far better than it fills in a time or a length. It shortens ("5" for "5 minutes"), takes
//! a time apart, invents lengths, and leaves out what was said ("every evening"). Numbers, names and free words are left as they are.

use serde_json::{Map, Value};

use crate::figure::{Known, figures};
use loquat_conversation::question::Likely;
use loquat_conversation::toolbox::Tool;
use loquat_decoder::language::Language;

/// What was said for the measures of tools.
pub(crate) struct Measures<'t> {
    /// The tools that fit, each with what was said for its arguments.
    pub(crate) likely: &'t [Likely],
    pub(crate) said: &'t str,
    /// It is said in this language.
    pub(crate) language: &'t Language,
}

impl Measures<'_> {
    /// Gives the arguments in the words of the person where these say just one thing for them, filled in or not, and drops measures that
    /// were not said.
    pub(super) fn as_said(&self, tool: &Tool, mut arguments: Map<String, Value>) -> Map<String, Value> {
        let is_it = |likely: &&Likely| likely.tool == tool.name && likely.toolbox_id == tool.toolbox_id;
        let Some(likely) = self.likely.iter().find(is_it).filter(|_| !tool.calculates) else {
            return arguments;
        };
        let is_filled = |name: &String| matches!(arguments.get(name), Some(Value::String(_)));
        let (filled, open): (Vec<_>, Vec<_>) = likely.measures.iter().partition(|(name, _)| is_filled(name));
        for (name, said) in &filled {
            let is_shared = filled.iter().filter(|(_, other)| other == said).count() > 1;
            match said.as_slice() {
                [one] if !is_shared => {
                    arguments.insert((*name).clone(), Value::from(one.as_str()));
                }
                _ => {
                    let value = arguments.get(*name).and_then(Value::as_str).unwrap_or_default();
                    if !self.vouches_for(value, said) {
                        arguments.remove(*name);
                    }
                }
            }
        }
        for (name, said) in open {
            let is_shared = likely.measures.values().filter(|other| *other == said).count() > 1;
            if let [one] = said.as_slice()
                && !is_shared
                && !arguments.contains_key(name)
                && !says(&arguments, one)
            {
                arguments.insert(name.clone(), Value::from(one.as_str()));
            }
        }
        arguments
    }

    /// Whether the numbers of a measure were said; without any it has to be one of several that were.
    fn vouches_for(&self, value: &str, said: &[String]) -> bool {
        let own = figures(value, self.language);
        let known = Known::of([self.said], self.language);
        // A number alone may have been said of anything, where no time and no length was.
        let is_bare = value.split_whitespace().count() <= 1 && !value.contains(':');
        if own.is_empty() || (said.is_empty() && is_bare) {
            return !said.is_empty();
        }
        own.iter().all(|figure| known.hold(figure))
    }
}

/// Whether an argument holds these words already, as the text of a reminder does that is about tomorrow.
fn says(arguments: &Map<String, Value>, words: &str) -> bool {
    let words = words.to_lowercase();
    let mut texts = arguments.values().filter_map(Value::as_str);
    texts.any(|text| text.to_lowercase().contains(&words))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use loquat_decoder::language::spoken;
    use serde_json::json;

    use super::*;

    /// Arguments, and what was said for each.
    type Rows<'t> = &'t [(&'t str, &'t [&'t str])];

    fn as_said(said: &str, measures: Rows<'_>, call: &Value) -> Value {
        let measures: BTreeMap<String, Vec<String>> = measures
            .iter()
            .map(|(name, parts)| {
                (
                    (*name).to_owned(),
                    parts.iter().map(|part| (*part).to_owned()).collect(),
                )
            })
            .collect();
        let likely = [Likely {
            toolbox_id: "box".to_owned(),
            tool: "wait".to_owned(),
            is_near: true,
            is_sure: false,
            said_as: None,
            measures,
        }];
        let measures = Measures {
            likely: &likely,
            said,
            language: spoken(Some("en")),
        };
        let call = call.as_object().cloned().unwrap_or_default();
        Value::from(measures.as_said(&Tool::safe("box", "wait", "Waits."), call))
    }

    #[test]
    fn the_words_of_the_person_stand_in_for_what_was_made_of_them() {
        let said = "wait five minutes for the rice";
        for made in ["5", "5 min", "10 minutes", "soon"] {
            let call = json!({"length": made, "name": "rice"});
            let heard = as_said(said, &[("length", &["five minutes"])], &call);
            assert_eq!(heard, json!({"length": "five minutes", "name": "rice"}), "{made}");
        }
        let call = json!({"name": "rice"});
        assert_eq!(
            as_said(said, &[("length", &["five minutes"])], &call),
            json!({"length": "five minutes", "name": "rice"}),
            "it is filled in"
        );
        let left_open: [(Rows<'_>, Value); 4] = [
            // Either could be meant, or neither.
            (
                &[("length", &["five minutes"]), ("by", &["five minutes"])],
                json!({"name": "rice"}),
            ),
            (
                &[("length", &["five minutes", "an hour"])],
                json!({"name": "rice"}),
            ),
            // It is what the call is about.
            (
                &[("length", &["five minutes"])],
                json!({"name": "five minutes for the rice"}),
            ),
            (&[("length", &["five minutes"])], json!({"length": 5})),
        ];
        for (measures, call) in left_open {
            assert_eq!(as_said(said, measures, &call), call);
        }
    }

    #[test]
    fn what_nobody_said_is_left_out() {
        let none: &[(&str, &[&str])] = &[("length", &[]), ("day", &[])];
        let made_up = json!({"length": "10 minutes", "day": "tomorrow", "name": "rice"});
        assert_eq!(
            as_said("is the rice ready", none, &made_up),
            json!({"name": "rice"})
        );
        let unread = json!({"length": "two minutes"});
        assert_eq!(
            as_said("two more of these minutes", none, &unread),
            unread,
            "its number was said"
        );
    }

    #[test]
    fn of_several_the_brain_chooses_and_of_one_for_two_arguments_too() {
        let two: &[(&str, &[&str])] = &[("at", &["seven", "eight"])];
        let call = json!({"at": "8"});
        assert_eq!(as_said("not at seven but at eight", two, &call), call);
        assert_eq!(
            as_said("not at seven but at eight", two, &json!({"at": "9"})),
            json!({})
        );
        let both: &[(&str, &[&str])] = &[("from", &["seven"]), ("to", &["seven"])];
        assert_eq!(
            as_said("at seven", both, &json!({"from": "7", "to": "9"})),
            json!({"from": "7"})
        );
    }
}

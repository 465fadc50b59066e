//! The sentences of an intent as a person reads them: rules in the place of their names, and gaps by what they hold. Compiles
//! nothing.

use std::collections::BTreeMap;

use crate::source::{Block, Intent, List, Source};

/// Rules may name others so many times over.
const DEEPEST: u8 = 6;

/// A longer sentence keeps the names of its rules, which say more than all their words.
const LONGEST: usize = 300;

impl Source {
    /// The sentences of an intent of this language, each once; without a home, those that name nothing of one.
    pub fn written(&self, intent: &Intent, has_home: bool) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for block in &intent.blocks {
            for sentence in &block.sentences {
                let whole = self.whole(block, sentence);
                let line = by_slots(&whole);
                if (has_home || !self.names_a_home(block, &whole)) && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines
    }

    fn whole(&self, block: &Block, sentence: &str) -> String {
        let rules = [&block.rules, &self.rules];
        let whole = expanded(sentence, &rules, DEEPEST).filter(|line| line.len() <= LONGEST);
        whole.unwrap_or_else(|| sentence.to_owned())
    }

    /// Whether a gap of a template holds what a home calls its things or places.
    fn names_a_home(&self, block: &Block, template: &str) -> bool {
        let mut rest = template;
        while let Some((_, gap, after)) = bracketed(rest, '{', '}') {
            let list = gap.split(':').next().unwrap_or(gap);
            let list = block.lists.get(list).or_else(|| self.lists.get(list));
            if matches!(list, Some(List::Home)) {
                return true;
            }
            rest = after;
        }
        false
    }
}

/// A template with its rules written out; nothing where they go too deep or become too long.
fn expanded(template: &str, rules: &[&BTreeMap<String, String>], deepest: u8) -> Option<String> {
    let mut written = String::new();
    let mut rest = template;
    while let Some((before, name, after)) = bracketed(rest, '<', '>') {
        let rule = rules.iter().find_map(|rules| rules.get(name))?;
        written += before;
        written += &expanded(rule, rules, deepest.checked_sub(1)?)?;
        if written.len() > LONGEST {
            return None;
        }
        rest = after;
    }
    Some(written + rest)
}

/// `{list:slot}` by the name of its slot.
fn by_slots(template: &str) -> String {
    let mut written = String::new();
    let mut rest = template;
    while let Some((before, gap, after)) = bracketed(rest, '{', '}') {
        let slot = gap.rsplit(':').next().unwrap_or(gap);
        written.extend([before, "{", slot, "}"]);
        rest = after;
    }
    written + rest
}

/// What stands before, between and behind the first two of these signs.
fn bracketed(text: &str, opens: char, closes: char) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once(opens)?;
    let (within, after) = rest.split_once(closes)?;
    Some((before, within, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(rules: &[(&str, &str)], sentences: &[&str]) -> Vec<String> {
        listed(rules, sentences, true)
    }

    fn listed(rules: &[(&str, &str)], sentences: &[&str], has_home: bool) -> Vec<String> {
        let rules = rules.iter();
        let rules = rules.map(|(name, rule)| ((*name).to_owned(), (*rule).to_owned()));
        let source = Source {
            rules: rules.collect(),
            lists: BTreeMap::from([
                ("name".to_owned(), List::Home),
                ("timer_name".to_owned(), List::Open),
            ]),
            ..Source::default()
        };
        let block = Block {
            sentences: sentences.iter().map(|&sentence| sentence.to_owned()).collect(),
            ..Block::default()
        };
        let intent = Intent {
            name: "HassTurnOn".to_owned(),
            blocks: vec![block],
        };
        source.written(&intent, has_home)
    }

    #[test]
    fn rules_are_written_out_and_gaps_have_the_names_of_their_slots() {
        let rules = [
            ("the", "(the|my)"),
            ("all_of", "all [of <the>]"),
            ("turn", "(turn|switch)"),
        ];
        assert_eq!(
            written(
                &rules,
                &[
                    "<turn> on <all_of> {light_names:name} <now>",
                    "<turn> on [<the>] {area} light[s]"
                ]
            ),
            [
                "<turn> on <all_of> {name} <now>",
                "(turn|switch) on [(the|my)] {area} light[s]"
            ]
        );
        assert_eq!(
            written(&rules, &["<all_of> lights", "<all_of> lights"]),
            ["all [of (the|my)] lights"]
        );
    }

    #[test]
    fn a_rule_that_names_itself_or_is_very_long_stays_a_name() {
        assert_eq!(written(&[("again", "and <again>")], &["<again>"]), ["<again>"]);
        let long = "word ".repeat(100);
        assert_eq!(written(&[("long", &long)], &["<long>"]), ["<long>"]);
    }

    #[test]
    fn without_a_home_what_names_its_things_is_left_out() {
        let sentences = ["turn on {name}", "pause the {timer_name:name} timer"];
        assert_eq!(listed(&[], &sentences, false), ["pause the {name} timer"]);
        assert_eq!(listed(&[], &sentences, true).len(), 2);
    }
}

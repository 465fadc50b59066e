//! How much memory a compiled language takes, roughly: what strangers register is bounded by it. Counts, and changes nothing.

use std::mem::size_of;

use super::{Block, Choice, Language, Node, Sentence};
use crate::choices::{Choices, NodeId, Said};
use crate::phrase::Phrase;
use crate::sketch::Sketch;

impl Language {
    /// Roughly the bytes that it takes. Words of numbers, which are the same for all, and what a caller keeps beside it are not
    /// counted.
    pub fn weight(&self) -> usize {
        let nodes = size_of::<Node>() * self.nodes.len() + size_of::<NodeId>() * self.parts.len();
        let phrases: usize = self.phrases.iter().map(Phrase::weight_in_bytes).sum();
        let names = self.slots.iter().chain(&self.intents);
        let names: usize = names.map(|name| size_of::<String>() + name.len()).sum();
        let lists: usize = self.lists.iter().map(of_list).sum();
        let blocks: usize = self.blocks.iter().map(of_block).sum();
        size_of::<Self>() + nodes + phrases + names + lists + blocks
    }
}

fn of_list(list: &Choice) -> usize {
    let held = match list {
        Choice::Values(choices) => of_choices(choices),
        Choice::Home(name) => name.len(),
        Choice::Numbers { .. } | Choice::Open | Choice::Words => 0,
    };
    size_of::<Choice>() + held
}

/// The values of a list stand in it once as they are compared, and once in the order of their letters.
fn of_choices(choices: &Choices) -> usize {
    let values = choices.all.iter().map(|choice| {
        let said = match &choice.said {
            Said::Plainly(phrase) => 2 * phrase.weight_in_bytes(),
            Said::As(_) => 0,
        };
        size_of_val(choice) + said
    });
    values.sum()
}

fn of_block(block: &Block) -> usize {
    let sentences: usize = block.sentences.iter().map(of_sentence).sum();
    let slots: usize = block
        .slots
        .iter()
        .map(|slot| size_of_val(slot) + slot.0.len())
        .sum();
    size_of::<Block>() + sentences + slots
}

fn of_sentence(sentence: &Sentence) -> usize {
    let clauses = sentence.needs.iter();
    let needs: usize = clauses
        .map(|clause| size_of::<Vec<Sketch>>() + size_of::<Sketch>() * clause.len())
        .sum();
    size_of::<Sentence>() + sentence.text.len() + needs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn weight(samples: &[String]) -> usize {
        let (language, _) = Language::build(&Source::of_words([("", samples.to_vec())]));
        language.weight()
    }

    #[test]
    fn a_sentence_weighs_more_compiled_than_written() {
        let samples: Vec<String> = (0..100)
            .map(|number| format!("(set|start|make) [a] timer number {number} for {{time}}"))
            .collect();
        let written: usize = samples.iter().map(String::len).sum();
        let (none, all) = (weight(&[]), weight(&samples));
        assert!(none < 4_096, "{none}");
        assert!(all > 2 * written, "{all} of {written}");
        assert!(all < 64 * written, "{all} of {written}");
    }
}

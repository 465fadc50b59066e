//! The sentences that a template stands for, for those who cannot read templates. Compares nothing.

use super::{Piece, Template};
use crate::letter::is_space;

impl Template {
    /// The sentences that it stands for, with its slots as `{name}`; at most so many.
    pub fn sentences(&self, limit: usize) -> Vec<String> {
        let sentences = self.root.wordings(limit).into_iter();
        let words = sentences.map(|sentence| {
            sentence
                .split(is_space)
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        });
        words.filter(|sentence| !sentence.is_empty()).collect()
    }
}

impl Piece {
    fn wordings(&self, limit: usize) -> Vec<String> {
        match self {
            Self::Words(words) => vec![words.clone()],
            Self::Slot { slot, .. } => vec![format!("{{{slot}}}")],
            Self::Rule(rule) => vec![format!("<{rule}>")],
            Self::Either(parts, _) => {
                let all = parts.iter().flat_map(|part| part.wordings(limit));
                all.take(limit).collect()
            }
            Self::Sequence(parts) | Self::AnyOrder(parts) => {
                parts.iter().fold(vec![String::new()], |begun, part| {
                    let next = part.wordings(limit);
                    let longer = begun
                        .iter()
                        .flat_map(|one| next.iter().map(move |next| format!("{one}{next}")));
                    longer.take(limit).collect()
                })
            }
        }
    }
}

//! The names of a home by how they sound, and what was heard with the right name in the place of a wrong one. Changes only names.

use loquat_sentences::words::Word;
use loquat_skills::folded;

use super::sounds::Sound;

/// Words of the longest name that is looked for, with one that was heard as two.
const LONGEST: usize = 4;

/// A name, as it is said and as it sounds.
#[derive(Debug)]
struct Named {
    said: String,
    sound: Sound,
}

/// The names of a home.
#[derive(Debug, Default)]
pub(in crate::spoken_tools) struct NearNames(Vec<Named>);

impl NearNames {
    pub(in crate::spoken_tools) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let named = names.into_iter().filter_map(|name| {
            Some(Named {
                said: name.to_owned(),
                sound: Sound::of(&folded(name))?,
            })
        });
        let mut all: Vec<Named> = named.collect();
        all.sort_by(|one, other| one.said.cmp(&other.said));
        all.dedup_by(|one, other| one.said == other.said);
        Self(all)
    }

    /// What was said with a name of the home in the place of words that sound like it, the nearest first, each with how far
    /// the name is from them. Of names that are equally far all are told or none.
    pub(in crate::spoken_tools) fn corrections(&self, said: &[Word], most: usize) -> Vec<(u32, String)> {
        let mut found: Vec<(u32, String)> = Vec::new();
        for start in 0..said.len() {
            for end in start + 1..=said.len().min(start + LONGEST) {
                let Some(heard) = said.get(start..end).and_then(|words| Sound::of(&joined(words))) else {
                    continue;
                };
                let misses = self
                    .0
                    .iter()
                    .filter_map(|name| Some((name.sound.miss(&heard)?, name)));
                let wrong = misses.filter(|(miss, _)| *miss > 0);
                found.extend(wrong.map(|(miss, name)| (miss, replaced(said, start..end, &name.said))));
            }
        }
        found.sort();
        found.dedup();
        nearest(found, most)
    }
}

/// The first of what is sorted, at most so many. Those that are as far as the first that is left out are left out too, because
/// one that is left would be taken for the only one.
fn nearest(mut sorted: Vec<(u32, String)>, most: usize) -> Vec<(u32, String)> {
    if let Some((left_out, _)) = sorted.get(most) {
        let too_far = *left_out;
        sorted.retain(|(miss, _)| *miss < too_far);
    }
    sorted
}

fn joined(words: &[Word]) -> String {
    let plain: Vec<&str> = words.iter().map(|word| word.plain.as_str()).collect();
    folded(&plain.join(" "))
}

/// The words with a name in the place of these.
fn replaced(said: &[Word], place: std::ops::Range<usize>, name: &str) -> String {
    let words = |range: Option<&[Word]>| -> Vec<String> {
        range
            .into_iter()
            .flatten()
            .map(|word| word.said.clone())
            .collect()
    };
    let mut text = words(said.get(..place.start));
    text.push(name.to_owned());
    text.extend(words(said.get(place.end..)));
    text.join(" ")
}

#[cfg(test)]
mod tests {
    use loquat_sentences::words::words_and_figures;

    use super::*;

    fn corrected(names: &[&str], said: &str) -> Vec<String> {
        let corrections = NearNames::new(names.iter().copied()).corrections(&words_and_figures(said), 6);
        corrections.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_name_takes_the_place_of_what_sounds_like_it() {
        let names = ["Bed Light", "Desk Lamp"];
        assert_eq!(
            corrected(&names, "turn on the bet light")
                .first()
                .map(String::as_str),
            Some("turn on the Bed Light")
        );
        assert_eq!(
            corrected(&names, "turn on the bedlights please")
                .first()
                .map(String::as_str),
            Some("turn on the Bed Light please")
        );
        assert_eq!(corrected(&names, "turn on the bed light"), [] as [&str; 0]);
        assert_eq!(corrected(&names, "write a poem about the sea"), [] as [&str; 0]);
    }

    #[test]
    fn of_two_names_that_are_equally_near_both_are_told() {
        let both = corrected(&["Lampe Eins", "Lampe Weins"], "lampe meins");
        assert_eq!(both.len(), 2);
    }

    #[test]
    fn of_more_names_that_are_equally_near_none_is_told() {
        let mut names = vec![
            "Lampe Beins",
            "Lampe Ceins",
            "Lampe Deins",
            "Lampe Geins",
            "Lampe Keins",
            "Lampe Neins",
        ];
        assert_eq!(corrected(&names, "lampe meins").len(), 6);
        names.push("Lampe Reins");
        assert_eq!(corrected(&names, "lampe meins"), [] as [&str; 0]);
        names.push("Lampe Mains");
        assert_eq!(corrected(&names, "lampe meins"), ["Lampe Mains"]);
    }
}

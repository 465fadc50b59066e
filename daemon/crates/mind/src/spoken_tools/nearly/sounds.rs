//! How far what was heard is from a name: by its letters, where those that sound alike count half. Knows no language.

/// Letters that sound alike, in one language or another.
const ALIKE: [&str; 7] = ["aeiouy", "bp", "ckqgx", "dt", "fvwp", "szcx", "jyig"];

/// What is heard or not without much difference.
const FAINT: &str = "aeiouyh";

/// Costs are counted in halves of a letter.
const LETTER: u32 = 2;
const HALF: u32 = 1;

/// Longer names are not guessed.
const LONGEST: usize = 40;

/// A name or something heard, ready to be compared: letters without spaces, and a bit for each of its clear sounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sound {
    letters: Vec<char>,
    sounds: u32,
}

impl Sound {
    /// That of a text without case and accents; nothing where it is too short or too long to be told from others.
    pub(super) fn of(folded: &str) -> Option<Self> {
        let letters: Vec<char> = folded.chars().filter(|sign| !sign.is_whitespace()).collect();
        let sounds = letters.iter().fold(0, |sounds, letter| sounds | bit(*letter));
        (3..=LONGEST)
            .contains(&letters.len())
            .then_some(Self { letters, sounds })
    }

    /// How far this name is from what was heard, where that is near: a fifth of its letters at most.
    pub(super) fn miss(&self, heard: &Self) -> Option<u32> {
        let most = LETTER * self.letters.len() as u32 / 5;
        let is_other = (self.sounds ^ heard.sounds).count_ones() > most;
        let is_longer = self.letters.len().abs_diff(heard.letters.len()) as u32 > most;
        if is_other || is_longer {
            return None;
        }
        let miss = distance(&self.letters, &heard.letters);
        (miss <= most).then_some(miss)
    }
}

/// The bit of the first kind of letters that one is of; none for what is faint.
fn bit(letter: char) -> u32 {
    if FAINT.contains(letter) {
        return 0;
    }
    let kind = ALIKE.iter().position(|alike| alike.contains(letter));
    1 << kind.unwrap_or(ALIKE.len() + letter as usize % 16)
}

fn distance(name: &[char], heard: &[char]) -> u32 {
    let mut row: Vec<u32> = std::iter::once(0).collect();
    row.extend(heard.iter().scan(0, |cost, letter| {
        *cost += gap(*letter, None);
        Some(*cost)
    }));
    let mut before = None;
    for letter in name {
        let mut diagonal = row.first().copied().unwrap_or_default();
        let mut left = diagonal + gap(*letter, before);
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        let mut heard_before = None;
        for (cell, other) in row.iter_mut().skip(1).zip(heard) {
            let changed = diagonal + change(*letter, *other);
            let dropped = *cell + gap(*letter, before);
            let added = left + gap(*other, heard_before);
            diagonal = *cell;
            *cell = changed.min(dropped).min(added);
            left = *cell;
            heard_before = Some(*other);
        }
        before = Some(*letter);
    }
    row.last().copied().unwrap_or_default()
}

/// What it costs that a letter is missing: less of what is faint, or of one that stands twice.
fn gap(letter: char, before: Option<char>) -> u32 {
    if FAINT.contains(letter) || before == Some(letter) {
        HALF
    } else {
        LETTER
    }
}

fn change(one: char, other: char) -> u32 {
    if one == other {
        return 0;
    }
    let is_alike = ALIKE
        .iter()
        .any(|alike| alike.contains(one) && alike.contains(other));
    if is_alike { HALF } else { LETTER }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn miss(name: &str, heard: &str) -> Option<u32> {
        Sound::of(name)?.miss(&Sound::of(heard)?)
    }

    #[test]
    fn what_sounds_like_a_name_is_near_it() {
        for (name, heard) in [
            ("bed light", "bet light"),
            ("bed light", "bedlight"),
            ("kitchen lights", "kitchin lights"),
            ("stehlampe", "stelampe"),
            ("fernseher", "vernseher"),
            ("lampe du salon", "lampe du sallon"),
            ("luz de la cocina", "lus de la cosina"),
            ("tapparella", "taparela"),
            ("cozinha", "cosinha"),
        ] {
            assert!(miss(name, heard).is_some(), "{name}: {heard}");
        }
    }

    #[test]
    fn other_words_are_not() {
        for (name, heard) in [
            ("bed light", "red night"),
            ("hall", "ball"),
            ("kitchen", "chicken"),
            ("office", "coffee"),
            ("garage", "garden"),
            ("salon", "saumon"),
            ("tv", "tea"),
        ] {
            assert_eq!(miss(name, heard), None, "{name}: {heard}");
        }
    }

    #[test]
    fn the_nearest_counts_least() {
        assert_eq!(miss("bed light", "bed light"), Some(0));
        assert!(miss("desk lamp", "desk lamb") < miss("desk lamp", "tesk lamb"));
    }
}

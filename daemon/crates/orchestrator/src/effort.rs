//! How much it may cost to find out whose an utterance is. What is compared comes from strangers, so it is counted: in steps
//! of templates, and in comparisons of words.
//!
//! It counts and shares out; it never compares anything itself.

/// Steps that are left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effort {
    /// Of templates; one takes up to 65 ns on a desktop computer.
    pub templates: u32,
    /// Comparisons of words; one takes about 10 ns.
    pub words: u32,
    /// Whether a part was too small for something.
    lacked: bool,
}

impl Effort {
    /// What one utterance may cost, all hypotheses together: some 10 ms. A device has a few hundred sentences and a few
    /// thousand keywords, which take a tenth of it.
    pub const WHOLE: Self = Self {
        templates: 100_000,
        words: 500_000,
        lacked: false,
    };

    /// What may be spent where others wait: less than a millisecond.
    pub const LITTLE: Self = Self {
        templates: 10_000,
        words: 50_000,
        lacked: false,
    };

    /// Takes an equal part for one of so many.
    #[must_use]
    pub fn part(&mut self, of: usize) -> Self {
        let of = u32::try_from(of).unwrap_or(u32::MAX).max(1);
        let part = Self {
            templates: self.templates / of,
            words: self.words / of,
            lacked: false,
        };
        self.templates -= part.templates;
        self.words -= part.words;
        part
    }

    /// Gives back what is left of a part.
    pub fn give_back(&mut self, part: &Self) {
        self.templates += part.templates;
        self.words += part.words;
        self.lacked |= part.is_spent();
    }

    /// Tells whether it may have been too little for something.
    pub fn is_spent(&self) -> bool {
        self.lacked || self.templates == 0 || self.words == 0
    }
}

/// Takes steps. Where there are too few nothing is left, so that it is seen that something needed more.
pub fn spend(steps_left: &mut u32, cost: u32) -> Option<()> {
    let left = steps_left.checked_sub(cost);
    *steps_left = left.unwrap_or_default();
    left.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal_and_what_is_left_of_them_comes_back() {
        let mut effort = Effort {
            templates: 10,
            words: 7,
            lacked: false,
        };
        let mut part = effort.part(3);
        assert_eq!((part.templates, part.words), (3, 2));
        assert_eq!((effort.templates, effort.words), (7, 5));
        assert_eq!(spend(&mut part.words, 1), Some(()));
        effort.give_back(&part);
        assert_eq!((effort.templates, effort.words), (10, 6));
        assert!(!effort.is_spent());
    }

    #[test]
    fn it_is_seen_that_something_needed_more() {
        let mut effort = Effort::LITTLE;
        let mut part = effort.part(2);
        let all = part.words;
        assert_eq!(spend(&mut part.words, all + 1), None);
        effort.give_back(&part);
        assert!(effort.words > 0 && effort.is_spent());
    }
}

//! A year in the place of that of a day: "and the same for next year" behind a question about Easter.
//!
//! Years that are named by how far they are away are counted from this one.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_sentences::words::Word;

use super::{Core, DAYS, Filling, Made, Own, joined, replaced};

/// Digits of a year.
const DIGITS: usize = 4;

impl Filling<'_> {
    /// Behind a day, in the place of a year that is said there already.
    pub(super) fn in_year(&self, own: &Own, core: Core<'_>, made: &mut Made) -> bool {
        let Some(year) = self.year_of(core.words) else {
            return false;
        };
        for (slot, said) in own.slots.iter().filter(|(slot, _)| DAYS.contains(&slot.as_str())) {
            let dated = format!("{} {year}", without_year(said));
            if self.is_known(own, slot, &dated) {
                made.add(replaced(own, slot, &dated));
            }
        }
        false
    }

    /// The year that these words are, in figures.
    fn year_of(&self, words: &[Word]) -> Option<String> {
        let said = joined(words);
        if is_year(&said) {
            return Some(said);
        }
        let now = Timestamp::now().to_zoned(TimeZone::UTC).year();
        let year = now.checked_add(self.following.year(words)?)?;
        Some(year.to_string())
    }
}

fn without_year(said: &str) -> &str {
    let parted = said.rsplit_once(' ');
    parted
        .filter(|(_, last)| is_year(last))
        .map_or(said, |(day, _)| day)
}

fn is_year(said: &str) -> bool {
    said.len() == DIGITS && said.bytes().all(|sign| sign.is_ascii_digit())
}

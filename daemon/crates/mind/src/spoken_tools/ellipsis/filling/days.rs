//! A day beside the one that was spoken of: "and the day after" behind a question about Friday.
//!
//! Counts no days: the skill that is asked reads which one is meant.

use loquat_sentences::words::words_and_figures;

use super::{Core, DAYS, Filling, Made, Own, joined, replaced};

impl Filling<'_> {
    /// In the place of the day that it is beside.
    pub(super) fn in_day_beside(&self, own: &Own, core: Core<'_>, made: &mut Made) -> bool {
        let Some(told) = self.following.day_beside(core.words) else {
            return false;
        };
        for (slot, said) in own.slots.iter().filter(|(slot, _)| DAYS.contains(&slot.as_str())) {
            let words = words_and_figures(said);
            let days = self.following.cores(&words).into_iter();
            let mut beside = days.map(|day| told.replace("{day}", &joined(day)));
            if let Some(day) = beside.find(|day| self.is_known(own, slot, day)) {
                made.add(replaced(own, slot, &day));
            }
        }
        false
    }
}

//! Times of day that go on with one that was said before: minutes without their hour, a part of the day, the half of the day.

use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::{Intents, alerts};

use super::{DATE, DAYS, Filling, Own, TIME, joined, parts, replaced};

impl Filling<'_> {
    /// With a time of day in the half of the day that was meant before, where its own words do not say which.
    pub(super) fn in_half_of(&self, new: Own, old: &Own) -> Own {
        let said = |own: &Own, slot: &str| -> Option<String> {
            let found = own.slots.iter().find(|(known, _)| known == slot);
            found.map(|(_, said)| said.clone())
        };
        let time = said(&new, TIME);
        let is_new = time
            .as_ref()
            .is_some_and(|time| said(old, TIME).as_ref() != Some(time));
        let (Some(time), true) = (time, self.acts && !(is_new && self.way.how.makes_more())) else {
            return new;
        };
        // What says the day still says which half of it.
        let stays = |slot: &&str| said(&new, slot).is_some() && said(&new, slot) == said(old, slot);
        let gaps = if DAYS.iter().any(stays) {
            &[TIME][..]
        } else {
            &[DATE, TIME]
        };
        let before: Vec<String> = gaps.iter().filter_map(|slot| said(old, slot)).collect();
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        match alerts::in_same_half(&time, &before, self.lang) {
            Some(time) if self.spoken.intents.takes(&new.intent, self.lang, TIME, &time) => {
                replaced(&new, TIME, &time)
            }
            _ => new,
        }
    }

    /// The words with the hour that they lack: that of an earlier sentence, or the one that is nearest to what it named.
    pub(super) fn with_hour(&self, own: &Own, rest: &[Word]) -> Option<Vec<Word>> {
        self.of_named_hour(own, rest)
            .or_else(|| self.of_nearest_hour(own, rest))
    }

    /// The minutes at the hour that is nearest to the time of day before: "half past" behind "quarter to seven".
    fn of_nearest_hour(&self, own: &Own, rest: &[Word]) -> Option<Vec<Word>> {
        let times = own.slots.iter().filter(|(slot, _)| Intents::holds_time(slot));
        let before: Vec<&str> = times.map(|(_, said)| said.as_str()).collect();
        let time = alerts::nearest_with(&joined(rest), &before, self.lang)?;
        Some(words_and_figures(&time))
    }

    /// The words with the hour that an earlier sentence named, perhaps beside its day.
    fn of_named_hour(&self, own: &Own, rest: &[Word]) -> Option<Vec<Word>> {
        let mut times = own.slots.iter().filter(|(slot, _)| Intents::holds_time(slot));
        let told = times.find_map(|(slot, said)| {
            let whole = self.following.with_hour(rest, said);
            let is_time = |text: &String| self.spoken.intents.takes(&own.intent, self.lang, slot, text);
            whole.filter(is_time).or_else(|| {
                let words = words_and_figures(said);
                let mut texts = parts(words.len()).filter_map(|part| {
                    let hour = self
                        .following
                        .with_hour(rest, &joined(words.get(part.clone())?))?;
                    let mut new = words.clone();
                    new.splice(part, words_and_figures(&hour));
                    Some(joined(&new))
                });
                texts.find(is_time)
            })
        })?;
        Some(words_and_figures(&told))
    }

    /// The sentence with a part of the day beside its time.
    pub(super) fn at_part_of_day(&self, own: &Own, rest: &[Word]) -> Option<Own> {
        let mut times = own
            .slots
            .iter()
            .filter(|(slot, _)| slot == TIME || DAYS.contains(&slot.as_str()));
        let part = joined(rest);
        times.find_map(|(slot, said)| {
            let time = alerts::at_part_of_day(said, &part, self.lang)?;
            let takes = self.spoken.intents.takes(&own.intent, self.lang, slot, &time);
            takes.then(|| replaced(own, slot, &time))
        })
    }
}

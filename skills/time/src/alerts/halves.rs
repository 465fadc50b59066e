//! The half of the day of a time that was said before: who corrects "seven in the evening" to half past means the evening.
//!
//! Decides nothing, and knows no words of its own.

use jiff::civil::Time;
use loquat_kit::calendar::Calendar;
use loquat_kit::{Hour, When};

/// Hours of a clock with two halves of the day.
const HALF_DAY: i8 = 12;

/// Minutes of an hour, and of a day.
const MINUTES: i32 = 60;
const DAY: i32 = 24 * MINUTES;

/// A time of day in the half of the day of an earlier one; nothing where it has one itself, or that one has none. The earlier one is
/// told by its words, which may stand in several gaps.
#[must_use]
pub fn in_same_half(said: &str, before: &[&str], lang: &str) -> Option<String> {
    let calendar = Calendar::spoken(lang);
    let now = calendar.moment(said).ok().filter(When::is_time)?.hour;
    let now = now.filter(|hour| !hour.has_half && hour.time.hour() <= HALF_DAY)?;
    let hour = clock_of(before, &calendar).filter(|hour| hour.has_half)?;
    let half = hour.time.hour() / HALF_DAY * HALF_DAY;
    let time = Time::new(now.time.hour() % HALF_DAY + half, now.time.minute(), 0, 0).ok()?;
    Some(time.strftime("%H:%M").to_string())
}

/// A time of day without the day that was said with it; nothing where none was.
#[must_use]
pub fn without_day(said: &str, lang: &str) -> Option<String> {
    let when = Calendar::spoken(lang).moment(said).ok()?;
    let hour = when.hour.filter(|_| when.day.is_some() && when.has_clock)?;
    let form = if hour.has_half { "%H:%M" } else { "%-H:%M" };
    Some(hour.time.strftime(form).to_string())
}

/// A time of day with a part of the day, in the place of the one that it may have; nothing where the words are no such part.
#[must_use]
pub fn at_part_of_day(time: &str, part: &str, lang: &str) -> Option<String> {
    let calendar = Calendar::spoken(lang);
    let has_clock = |text: &str| calendar.moment(text).is_ok_and(|when| when.has_clock);
    if has_clock(part) || calendar.day(part).is_some() {
        return None;
    }
    let words: Vec<&str> = time.split_whitespace().collect();
    let fronts = (1..=words.len()).rev().filter_map(|count| words.get(..count));
    let mut fronts = fronts
        .map(|words| words.join(" "))
        .filter(|front| has_clock(front));
    fronts.find_map(|front| {
        let whole = format!("{front} {part}");
        let when = calendar.moment(&whole).ok()?;
        let is_told = when.has_clock && when.is_time() && when.hour.is_some_and(|hour| hour.has_half);
        is_told.then_some(whole)
    })
}

/// The time of day with these minutes of an unsaid hour that is nearest to an earlier one, and of two as near the later; nothing
/// where the words are no such minutes, or none was said before.
#[must_use]
pub fn nearest_with(minutes: &str, before: &[&str], lang: &str) -> Option<String> {
    let calendar = Calendar::spoken(lang);
    let minute = calendar.minutes_of_hour(minutes)?.rem_euclid(MINUTES);
    let hour = clock_of(before, &calendar)?;
    let was = i32::from(hour.time.hour()) * MINUTES + i32::from(hour.time.minute());
    let near = [MINUTES, 0, -MINUTES].map(|step| was - was % MINUTES + step + minute);
    let others = near.into_iter().filter(|told| *told != was);
    let nearest = others.min_by_key(|told| (told - was).abs())?.rem_euclid(DAY);
    let told = Time::new(
        i8::try_from(nearest / MINUTES).ok()?,
        i8::try_from(minute).ok()?,
        0,
        0,
    )
    .ok()?;
    let form = if hour.has_half { "%H:%M" } else { "%-H:%M" };
    Some(told.strftime(form).to_string())
}

/// The time of day that words in several gaps tell together, in whatever order.
fn clock_of(words: &[&str], calendar: &Calendar) -> Option<Hour> {
    let forwards = words.join(" ");
    let backwards: Vec<&str> = words.iter().rev().copied().collect();
    let texts = [forwards, backwards.join(" ")].into_iter();
    let mut texts = texts.chain(words.iter().map(|text| (*text).to_owned()));
    texts.find_map(|text| {
        let when = calendar.moment(&text).ok()?;
        when.hour.filter(|_| when.has_clock)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_half_of_the_day_of_an_earlier_one() {
        for (lang, said, before, expected) in [
            (
                "en",
                "half past seven",
                &["seven in the morning"][..],
                Some("07:30"),
            ),
            ("en", "nine", &["tonight", "eight"], Some("21:00")),
            ("en", "nine", &["eight"], None),
            ("en", "9 pm", &["8 am"], None),
            ("de", "halb acht", &["sieben Uhr abends"], Some("19:30")),
            ("fr", "huit heures", &["sept heures du matin"], Some("08:00")),
            ("es", "las ocho", &["las siete de la tarde"], Some("20:00")),
            ("it", "le otto", &["le sette di sera"], Some("20:00")),
            ("pt", "às sete e meia", &["sete da manhã"], Some("07:30")),
        ] {
            let told = in_same_half(said, before, lang);
            assert_eq!(told.as_deref(), expected, "{lang}: {said} behind {before:?}");
        }
    }

    #[test]
    fn a_part_of_the_day_goes_to_a_time() {
        for (lang, time, part, expected) in [
            ("en", "ten past seven", "pm", Some("ten past seven pm")),
            ("en", "seven pm", "in the morning", Some("seven in the morning")),
            ("en", "seven", "tomorrow", None),
            ("en", "seven", "eight", None),
            ("de", "sieben", "morgens", Some("sieben morgens")),
            ("fr", "sept heures", "du soir", Some("sept heures du soir")),
        ] {
            assert_eq!(
                at_part_of_day(time, part, lang).as_deref(),
                expected,
                "{time} {part}"
            );
        }
    }

    #[test]
    fn minutes_without_an_hour_are_of_the_nearest_one() {
        for (lang, said, before, expected) in [
            ("en", "half past", &["ten to nine"][..], Some("8:30")),
            ("en", "quarter past", &["half past three"], Some("3:15")),
            ("en", "quarter past", &["quarter to five"], Some("5:15")),
            (
                "en",
                "ten past",
                &["tomorrow", "five to eight in the evening"],
                Some("20:10"),
            ),
            ("en", "half past", &["tomorrow"], None),
            ("en", "nine", &["ten to nine"], None),
            ("de", "viertel nach", &["zehn vor neun"], Some("9:15")),
        ] {
            let told = nearest_with(said, before, lang);
            assert_eq!(told.as_deref(), expected, "{lang}: {said} behind {before:?}");
        }
    }

    #[test]
    fn a_day_is_taken_from_a_time() {
        assert_eq!(
            without_day("at seven tomorrow morning", "en").as_deref(),
            Some("07:00")
        );
        assert_eq!(without_day("tomorrow at seven", "en").as_deref(), Some("7:00"));
        assert_eq!(without_day("at seven", "en"), None);
    }
}

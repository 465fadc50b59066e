//! On which days something is repeated, as people say it: `every day`, `an Werktagen`, `tous les lundis`.
//!
//! Knows no dates.

use super::FOLDER;
use crate::dialog::Gap;
use crate::intent::InLanguage;
use crate::locale::Locales;

/// The list of what people say.
const LIST: &str = "repeat.value";

/// Names in the list, and the weekdays that they stand for; Monday is 1.
const NAMES: [(&str, &[i8]); 10] = [
    ("daily", &[1, 2, 3, 4, 5, 6, 7]),
    ("weekdays", &[1, 2, 3, 4, 5]),
    ("weekends", &[6, 7]),
    ("monday", &[1]),
    ("tuesday", &[2]),
    ("wednesday", &[3]),
    ("thursday", &[4]),
    ("friday", &[5]),
    ("saturday", &[6]),
    ("sunday", &[7]),
];

/// The weekdays that a text names, in the person's language or in English.
pub(super) fn days(said: &str, spoken: &InLanguage<'_>) -> Option<Vec<i8>> {
    let folded = crate::folded(said);
    [spoken.lang, "en-us"]
        .into_iter()
        .find_map(|lang| read(&folded, lang, spoken.locales))
}

fn read(folded: &str, lang: &str, locales: &Locales) -> Option<Vec<i8>> {
    if let Some(days) = listed(lang, locales, |_, form| form == folded) {
        return Some(days.to_vec());
    }
    let and = locales.values(FOLDER, lang, "joint.value").next()?.1.trim();
    let and = format!(" {and} ");
    let mut parts = folded.split(&and).flat_map(|part| part.split(", "));
    let first = parts.next()?;
    let mut days = listed(lang, locales, |_, form| form == first)?.to_vec();
    for part in parts {
        // "every monday and friday": what goes before the day is said once.
        let ends = format!(" {part}");
        days.extend(listed(lang, locales, |days, form| {
            days.len() == 1 && (form == part || form.ends_with(&ends))
        })?);
    }
    days.sort_unstable();
    days.dedup();
    (days.len() > 1).then_some(days)
}

/// The weekdays of the first name in the list of which a form is accepted.
fn listed(
    lang: &str,
    locales: &Locales,
    is_said: impl Fn(&'static [i8], &str) -> bool,
) -> Option<&'static [i8]> {
    locales.values(FOLDER, lang, LIST).find_map(|(name, forms)| {
        let (_, days) = NAMES.iter().find(|(known, _)| *known == name.trim())?;
        let mut forms = forms.split('|').chain([name]).map(crate::folded);
        forms.any(|form| is_said(days, &form)).then_some(*days)
    })
}

/// As it is told: the name of all these days, or those of each.
pub(super) fn told(days: &[i8], lang: &str, locales: &Locales) -> Option<Gap> {
    let name = |days: &[i8]| {
        let (name, _) = NAMES.iter().find(|(_, known)| *known == days)?;
        let mut names = locales.values(FOLDER, lang, LIST);
        let (_, forms) = names.find(|(known, _)| known.trim() == *name)?;
        forms.split('|').next().map(|form| form.trim().to_owned())
    };
    let each = || days.iter().map(|day| name(&[*day])).collect::<Option<Vec<_>>>();
    let names = name(days).map(|name| vec![name]).or_else(each)?;
    Some(Gap::Several(names))
}

#[cfg(test)]
mod tests;

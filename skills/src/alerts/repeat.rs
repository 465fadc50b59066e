//! On which days something is repeated, as people say it: `every day`, `an Werktagen`, `tous les lundis`.
//!
//! Knows no dates.

use super::FOLDER;
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
pub(super) fn days(said: &str, spoken: &InLanguage<'_>) -> Option<&'static [i8]> {
    let folded = crate::folded(said);
    [spoken.lang, "en-us"].into_iter().find_map(|lang| {
        let mut names = spoken.locales.values(FOLDER, lang, LIST);
        let is_said = |name: &str, forms: &str| {
            crate::folded(name) == folded || forms.split('|').any(|form| crate::folded(form) == folded)
        };
        let (name, _) = names.find(|(name, forms)| is_said(name, forms))?;
        NAMES
            .iter()
            .find(|(known, _)| *known == name.trim())
            .map(|(_, days)| *days)
    })
}

/// As it is told.
pub(super) fn told(days: &[i8], lang: &str, locales: &Locales) -> Option<String> {
    let (name, _) = NAMES.iter().find(|(_, known)| *known == days)?;
    let mut names = locales.values(FOLDER, lang, LIST);
    let (_, forms) = names.find(|(known, _)| known.trim() == *name)?;
    forms.split('|').next().map(|form| form.trim().to_owned())
}

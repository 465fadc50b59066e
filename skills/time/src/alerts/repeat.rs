//! On which days something is repeated, as it is told: `every day`, `an Werktagen`, `tous les lundis`.
//!
//! Knows no dates.

use super::FOLDER;
use loquat_kit::dialog::Gap;
use loquat_kit::locale::Locales;

/// The list of what they are called.
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

//! How repetitions are told.

use super::told;
use loquat_kit::Skill;
use loquat_kit::dialog::Gap;

#[test]
fn several_days_are_told_one_by_one() {
    let names = |days| told(days, "en-US", &Skill::locales([&crate::alerts::SKILL]));
    let several = |names: &[&str]| {
        Some(Gap::Several(
            names.iter().map(|name| (*name).to_owned()).collect(),
        ))
    };
    assert_eq!(names(&[1, 5]), several(&["every Monday", "every Friday"]));
    assert_eq!(names(&[6, 7]), several(&["every weekend"]));
}

//! Reminders for other people: they are said with the name, where that person is known to be, or when they come home.
//!
//! Knows no voice. Who is at home only a home tells.

use loquat_agent::Speaker;
use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::dialog::Telling;
use loquat_kit::folded;
use loquat_kit::intent::InLanguage;
use loquat_kit::people::Named;
use serde_json::Value;

use super::alert::{Alert, Kind};
use super::deed::Deed;
use super::due::Due;
use super::event::{Condition, Event, Look};
use super::setting::{self, Set};
use super::{AlertTools, FOLDER, triggers};

/// Words of a name.
const MOST_WORDS: usize = 2;

/// Words that are no names, in a language.
const NOBODY: &str = "nobody.value";

/// From now until what is said at once.
const AT_ONCE: f64 = 1.0;

/// The name of a person: a word or two, none of which is a pronoun or an article.
pub(super) fn read_who(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let is_listed = |word: &&str| {
        let mut lists = spoken.locales.values(FOLDER, spoken.lang, NOBODY);
        lists.any(|(_, listed)| listed.split('|').any(|listed| folded(listed) == folded(word)))
    };
    let is_name = |word: &&str| {
        word.chars()
            .all(|letter| letter.is_alphabetic() || "-'’".contains(letter))
    };
    let is_one =
        (1..=MOST_WORDS).contains(&words.len()) && words.iter().all(is_name) && !words.iter().any(is_listed);
    is_one.then(|| Value::from(loquat_agent::capitalised(said)))
}

/// Reminds a person when they come home, or at once where they are there.
pub(super) async fn set_at_home(
    tools: &AlertTools,
    text: String,
    whom: Option<String>,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let Some(whom) = whom.or_else(|| speaker(tools, person)) else {
        let spoken = "nothing is set: who speaks is not known; ask the person for their name";
        return Ok(Set::nothing(
            Kind::Reminder,
            spoken.to_owned(),
            Telling::new("who_are_you"),
        ));
    };
    let Some(presence) = &tools.neighbours.presence else {
        let spoken = "nothing is set: who is at home is not known, since no Home Assistant is set";
        return Ok(Set::nothing(
            Kind::Reminder,
            spoken.to_owned(),
            Telling::new("no_presence"),
        ));
    };
    let Some(call) = presence.at_home(&whom) else {
        let spoken = "nothing is set: Home Assistant shows nobody of that name".to_owned();
        let told = Telling::new("no_such_person").words("who", whom);
        return Ok(Set::nothing(Kind::Reminder, spoken, told));
    };
    let now = match &tools.neighbours.understands {
        Some(desk) => desk.look(&call, person).await.map(|glance| glance.look),
        None => None,
    };
    if now == Some(Look::So(true)) {
        let due = Due::after(&tools.alerts.now(), AT_ONCE);
        return setting::set_reminder_for(tools, (text, Some(whom)), due, "set_reminder_now", person).await;
    }
    triggers::has_room(tools).await?;
    let event = Event::new(&words(tools, &whom, person), Condition::So(call), false, now);
    let deed = Deed::set_by(person, true, false);
    setting::set_reminder_on(tools, (text, whom), deed, event, person).await
}

/// Whether an alert is for these ears and hands: set by who may know it, or for who speaks by their name.
pub(super) fn knows(tools: &AlertTools, alert: &Alert, person: &Circumstances) -> bool {
    let is_own = || {
        let named = named(tools, person)?;
        Some(is_for(alert, &named, person))
    };
    alert.person.is_known_to(person) || is_own() == Some(true)
}

/// Whether it is for who speaks under a name. What the owner has set is for whom the owner has named: a guest may claim any name,
/// and a program that speaks in the device's own conversation is not the person whose that is.
pub(super) fn is_for(alert: &Alert, speaker: &Named, person: &Circumstances) -> bool {
    let is_called = |whom: &String| folded(whom) == folded(&speaker.name);
    let is_trusted = speaker.by_owner && person.speaker != Speaker::Program;
    alert.whom.as_ref().is_some_and(is_called) && (is_trusted || !alert.person.is_owner())
}

/// What who speaks is called, where that was said.
fn speaker(tools: &AlertTools, person: &Circumstances) -> Option<String> {
    named(tools, person).map(|named| named.name)
}

fn named(tools: &AlertTools, person: &Circumstances) -> Option<Named> {
    let people = tools.neighbours.people.as_ref()?;
    people.speaker(person)
}

/// That they are at home, in words.
fn words(tools: &AlertTools, whom: &str, person: &Circumstances) -> String {
    let told = Telling::new("at_home").words("who", whom);
    super::sentence(&told, tools, person).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::alert::Person;

    fn heard(speaker: Speaker) -> Circumstances {
        Circumstances {
            speaker,
            ..Circumstances::default()
        }
    }

    #[test]
    fn what_the_owner_set_for_a_person_is_not_for_who_only_claims_the_name() {
        let guest = || Speaker::guest("hive:bath");
        let set_by = |speaker: Speaker| Alert {
            whom: Some("Ana".to_owned()),
            ..crate::alerts::tests::timer(Person::of(&heard(speaker)))
        };
        let is_for = |setter: Speaker, name: &str, by_owner: bool, speaker: Speaker| {
            let named = Named {
                name: name.to_owned(),
                key: String::new(),
                by_owner,
            };
            is_for(&set_by(setter), &named, &heard(speaker))
        };
        assert!(is_for(Speaker::Owner, "ana", true, guest()));
        assert!(!is_for(Speaker::Owner, "Ana", false, guest()));
        assert!(!is_for(Speaker::Owner, "Ana", true, Speaker::Program));
        assert!(!is_for(Speaker::Owner, "Ben", true, guest()));
        assert!(is_for(Speaker::guest("hive:kitchen"), "Ana", false, guest()));
    }
}

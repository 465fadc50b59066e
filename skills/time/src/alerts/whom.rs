//! Reminders for other people: they are said with the name, where that person is known to be, or when they come home.
//!
//! Knows no voice. Who is at home only a home tells.

use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::dialog::Telling;
use loquat_kit::folded;
use loquat_kit::intent::InLanguage;
use serde_json::Value;

use super::alert::{Alert, Kind};
use super::deed::Deed;
use super::due::Due;
use super::event::{Condition, Event};
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
    let is_so = match &tools.neighbours.understands {
        Some(desk) => desk.is_so(&call, person).await,
        None => None,
    };
    if is_so == Some(true) {
        let due = Due::after(&tools.alerts.now(), AT_ONCE);
        return setting::set_reminder_for(tools, (text, Some(whom)), due, "set_reminder_now", person).await;
    }
    triggers::has_room(tools).await?;
    let event = Event::new(&words(tools, &whom, person), Condition::So(call), false, is_so);
    let deed = Deed::set_by(person, true, false);
    setting::set_reminder_on(tools, (text, whom), deed, event, person).await
}

/// Whether an alert is for these ears and hands: set by who may know it, or for who speaks by their name.
pub(super) fn knows(tools: &AlertTools, alert: &Alert, person: &Circumstances) -> bool {
    let is_own = || {
        let whom = alert.whom.as_deref()?;
        speaker(tools, person).map(|name| folded(&name) == folded(whom))
    };
    alert.person.is_known_to(person) || is_own() == Some(true)
}

/// Who speaks, where that was said.
fn speaker(tools: &AlertTools, person: &Circumstances) -> Option<String> {
    let people = tools.neighbours.people.as_ref()?;
    people.speaker(person).map(|named| named.name)
}

/// That they are at home, in words.
fn words(tools: &AlertTools, whom: &str, person: &Circumstances) -> String {
    let told = Telling::new("at_home").words("who", whom);
    super::sentence(&told, tools, person).unwrap_or_default()
}

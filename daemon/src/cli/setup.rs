//! `loquat setup`: asks a person for what Loquat cannot know by itself, tries loudspeaker and microphone with them, and writes what
//! was answered into their `loquat.toml`, all at once, when the last question was answered. An answer that is left out leaves
//! things as they are.

mod home_assistant;
mod interview;
mod place;
mod sound;

use anyhow::{Context as _, Result};
use loquat_models::{Catalogue, Kind};
use loquat_part::Verdict;
use serde_json::json;
use toml_edit::Value;

use self::interview::{Interview, Left};
use super::{Context, Exit, check};
use crate::app::Roll;
use crate::settings::amend::amend;
use crate::settings::{Document, Settings, wording::listed};

/// What is to be written: keys of `loquat.toml` and their values.
type Answers = Vec<(&'static str, Option<Value>)>;

/// Carries out `loquat setup`.
pub(super) async fn run(context: Context) -> Result<Exit> {
    let output = context.output;
    let mut interview = Interview::new(output);
    output.line("Enter alone leaves a thing as it is. Nothing is written before the last question.\n");
    let Ok(answers) = asked(&mut interview, &context).await else {
        output.remark("loquat: the questions were left, so nothing was changed");
        return Ok(Exit::Failed);
    };
    if answers.is_empty() {
        output.line("Nothing was changed.");
    } else {
        let amended = amend::<Document>(&context.environment, &context.options, &answers);
        let amended = amended.context("failed to write the settings")?;
        output.line(format!("Written to {}.", amended.file().display()));
    }
    let keys: Vec<&str> = answers.iter().map(|(key, _)| *key).collect();
    output.value(&json!({"written": keys}));
    tell_what_is_missing(&context).await;
    Ok(Exit::Ok)
}

/// Puts all questions, in the order in which a person needs them.
async fn asked(interview: &mut Interview, context: &Context) -> Result<Answers, Left> {
    let settings = &context.settings;
    let mut answers = Answers::new();
    answers.extend(language(interview, settings)?);
    answers.extend(place::asked(interview, settings).await?);
    answers.extend(units(interview, settings)?);
    answers.extend(persona(interview, context)?);
    answers.extend(wake_word(interview)?);
    sound::tried(interview, context).await?;
    answers.extend(home_assistant::asked(interview, context)?);
    Ok(answers)
}

fn language(interview: &mut Interview, settings: &Settings) -> Result<Answers, Left> {
    let now = &settings.mycroft.lang;
    let question = format!("Language, as in en-GB [{now}]");
    let read = |text: &str| {
        let known = loquat_wire::language::standard(text);
        known.ok_or_else(|| format!("{text:?} is no language; write it as in \"en-GB\" or \"de\""))
    };
    let said = interview.asked(&question, read)?;
    Ok(said
        .map(|lang| ("device.language", Some(lang.into())))
        .into_iter()
        .collect())
}

fn units(interview: &mut Interview, settings: &Settings) -> Result<Answers, Left> {
    let question = format!("Units, metric or imperial [{}]", settings.mycroft.system_unit);
    let said = interview.chosen(&question, &["metric", "imperial"])?;
    Ok(said
        .map(|units| ("device.units", Some(units.into())))
        .into_iter()
        .collect())
}

fn persona(interview: &mut Interview, context: &Context) -> Result<Answers, Left> {
    let roll = Roll::of(&context.settings, &context.environment);
    let names: Vec<&str> = roll
        .personas
        .iter()
        .map(|persona| persona.name.as_str())
        .collect();
    let now = roll
        .default_persona()
        .map_or("nobody", |persona| persona.name.as_str());
    let question = format!("Who answers: {} [{now}]", listed(names.iter().copied()));
    let said = interview.chosen(&question, &names)?;
    Ok(said
        .map(|name| ("desk.persona", Some(name.into())))
        .into_iter()
        .collect())
}

fn wake_word(interview: &mut Interview) -> Result<Answers, Left> {
    let catalogue = Catalogue::embedded();
    let models = catalogue
        .models()
        .iter()
        .filter(|model| model.kind == Kind::WakeWord);
    let words: Vec<&str> = models.map(|model| model.name.as_str()).chain(["off"]).collect();
    let question = format!("Wake word: {} [as it is]", listed(words.iter().copied()));
    let said = interview.chosen(&question, &words)?;
    if let Some(word) = said.as_ref().filter(|word| *word != "off") {
        interview.tell(&format!("  If it is not there yet: loquat models fetch {word}"));
    }
    Ok(said
        .map(|word| ("speech.wake_word", Some(word.into())))
        .into_iter()
        .collect())
}

/// Says what is still missing, with what was written.
async fn tell_what_is_missing(context: &Context) {
    let output = context.output;
    let findings = check::of_this_device(&context.environment, &context.options).await;
    for finding in findings
        .iter()
        .filter(|finding| finding.verdict >= Verdict::Missing)
    {
        check::show(finding, output);
    }
    output.line("\nIt counts from the next start: `loquat run`, or `systemctl --user restart loquat` for the service.");
}

//! The chapters of the book that list what can be said, one for each language, made of the files of sentences beside the skills.
//! Knows none of the skills: the table of `skills/README.md` says which there are and what they are for.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use toml::Table;

use super::GENERATED;
use crate::cli::sentences::plain::{plain, plainest};

/// The languages: their tags, and what they are called.
pub(super) const LANGUAGES: [(&str, &str); 6] = [
    ("en-us", "English"),
    ("de-de", "German"),
    ("fr-fr", "French"),
    ("es-es", "Spanish"),
    ("it-it", "Italian"),
    ("pt-pt", "Portuguese"),
];

/// What stands in gaps, where their names do not say it.
const GAPS: &str = "\
| In a gap | Stands, for example |
| --- | --- |
| _duration_ | 10 minutes, an hour and a half |
| _time_, _hour_ | quarter past seven, 6:30 in the morning |
| _date_, _moment_, _when_ | tomorrow, next Friday, Christmas, at eight on Monday |
| _place_, _other_, _to_, _from_ | Lisbon, Tokyo; of days and numbers an end of them |
| _thing_, _things_, _area_ | a lamp, lights, a room, as they are called in your home |
| _name_, _known_ | what you called a timer, an alarm or a list |
| _kind_, _kinds_ | timer, alarm, reminder; timers, alarms, reminders |
| _unit_ | hours, days, weeks |
| _topic_, _service_ | what the device can do, a service outside of it |
| _items_, _text_, _fact_ | your own words |
| _expression_, _value_, _percent_ | 18 percent of 64, twelve, half |
";

/// A skill as the table lists it.
struct Row {
    /// What it is for.
    purpose: String,
    /// Its page, from the folder `skills`.
    page: String,
    sentences: PathBuf,
}

/// Gives the chapter of a language.
pub(super) fn chapter(skills: &Path, tag: &str, language: &str) -> Result<String, fmt::Error> {
    let mut text = format!(
        "# What you can say in {language}\n\n{GENERATED}
These are all sentences that Loquat's own skills understand in {language}, without a language model.
Above each group stands its plainest form.
`(this|that)` is one of these, `[this]` may be left out, and a name in braces is a gap.
Some of them mean something only behind another one, such as `(cancel|delete) it` behind a timer, or as its answer.
Polite words around a sentence need no line of their own.
An order may have a time behind it (\"in 20 minutes\", \"at sunset\"), or something that it waits for (\"when the front door is open\").
Those of Home Assistant's community are not among them: `loquat sentences` lists all that your device understands.
[Sentences](sentences.md) says what else there is, and in which languages.\n\n{GAPS}"
    );
    for row in rows(skills) {
        let Ok(file) = std::fs::read_to_string(row.sentences.join(tag).with_extension("toml")) else {
            continue;
        };
        let table: Table = file.parse().unwrap_or_default();
        let Some(intents) = table.get("sentences").and_then(toml::Value::as_table) else {
            continue;
        };
        write!(
            text,
            "\n## {}\n\n[More about it](https://github.com/loquat-voice/loquat/blob/main/skills/{}).\n\n",
            row.purpose, row.page
        )?;
        for lines in intents.values().map(strings) {
            group(&mut text, &lines)?;
        }
    }
    Ok(text)
}

fn strings(array: &toml::Value) -> Vec<&str> {
    let lines = array.as_array().into_iter().flatten();
    lines.filter_map(toml::Value::as_str).collect()
}

/// Writes the sentences of an intent, below the plainest of them.
fn group(text: &mut String, lines: &[&str]) -> fmt::Result {
    let Some(plainest) = plainest(lines.iter().copied()) else {
        return Ok(());
    };
    writeln!(text, "- **{}**", plain(plainest).replace(['{', '}'], "_"))?;
    for line in lines {
        writeln!(text, "  - `{line}`")?;
    }
    Ok(())
}

/// The rows of the table of skills.
fn rows(skills: &Path) -> Vec<Row> {
    let page = std::fs::read_to_string(skills.join("README.md")).unwrap_or_default();
    page.lines().filter_map(|line| row(skills, line)).collect()
}

fn row(skills: &Path, line: &str) -> Option<Row> {
    let mut cells = line.strip_prefix("| `")?.split(" | ");
    let (_, link, purpose) = (cells.next()?, cells.next()?, cells.next()?);
    let page = link.split_once("](")?.1.trim_end_matches(')').to_owned();
    let purpose = purpose.trim_end_matches(" |");
    let mut letters = purpose.chars();
    let first: String = letters.next()?.to_uppercase().collect();
    Some(Row {
        purpose: first + letters.as_str(),
        sentences: skills.join(&page).parent()?.join("sentences"),
        page,
    })
}

/// Counts the files of this language below a folder.
fn files(folder: &Path, tag: &str) -> usize {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            if path.is_dir() && !path.ends_with("target") {
                files(&path, tag)
            } else {
                usize::from(path.ends_with(format!("sentences/{tag}.toml")))
            }
        })
        .sum()
}

#[test]
fn every_file_of_sentences_is_in_its_chapter() {
    let skills = Path::new(env!("CARGO_MANIFEST_DIR")).join("../skills");
    let listed = rows(&skills);
    for (tag, language) in LANGUAGES {
        let there = listed
            .iter()
            .filter(|row| row.sentences.join(tag).with_extension("toml").is_file());
        // The example is part of no program, and the answers of the kit belong to no skill.
        let elsewhere = files(&skills.join("example"), tag) + files(&skills.join("kit"), tag);
        assert_eq!(
            there.count(),
            files(&skills, tag) - elsewhere,
            "skills/README.md lacks a skill of {tag}"
        );
        let text = chapter(&skills, tag, language).unwrap();
        assert!(text.matches("\n- **").count() > 200, "{language}");
    }
}

//! What a persona file may say about an engine, taken from what the engines declare.

use loquat_agent::engine::{ENGINES, Form, MOST_STEPS, Setting};

use super::fields::{Shape, Spec};

/// The settings that every engine has.
const COMMON: &[Spec<'static>] = &[
    ("dialect", Shape::OneOf(&["native", "schema", "text"])),
    ("channels", Shape::Object),
    ("may_be_silent", Shape::Switch),
    ("one_call", Shape::Switch),
    ("talk", Shape::Switch),
    ("doubts_strangers", Shape::Switch),
];

fn declared() -> impl Iterator<Item = &'static Setting> {
    ENGINES.iter().flat_map(|engine| engine.settings)
}

/// The keys of all engines with what their values may be; those of another engine do no harm in a file.
pub(super) fn specs() -> Vec<Spec<'static>> {
    let own = declared().map(|setting| (setting.key, shape(setting.form)));
    own.chain(COMMON.iter().copied()).collect()
}

/// Lists the keys whose value names another engine.
pub(super) fn naming_engines() -> impl Iterator<Item = &'static str> {
    let names_one = |setting: &&Setting| matches!(setting.form, Form::Engine(_));
    declared().filter(names_one).map(|setting| setting.key)
}

/// OVOS takes zero for each of its limits; an engine that could do nothing with it counts it as its least.
fn shape(form: Form) -> Shape {
    match form {
        Form::Count { most, .. } => Shape::Whole(0, most.into()),
        Form::Steps(_) => Shape::Whole(0, MOST_STEPS.into()),
        Form::Word(words) => Shape::OneOf(words),
        Form::Switch => Shape::Switch,
        Form::Engine(_) => Shape::Text,
        Form::Other => Shape::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name by which people call an engine: without what all ids have, and as code where the id is ours alone.
    fn called(id: &str) -> String {
        match id.strip_prefix("ovos-") {
            Some(rest) => rest.trim_end_matches("-loop").to_owned(),
            None => format!("`{id}`"),
        }
    }

    fn value(form: Form) -> String {
        match form {
            Form::Count { least, most, .. } => format!("{least} to {most}"),
            Form::Steps(_) => format!("1 to {MOST_STEPS}"),
            Form::Word(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
                quoted.join(", ")
            }
            Form::Switch => "`true` or `false`".to_owned(),
            Form::Engine(_) => "engine id".to_owned(),
            Form::Other => "see below".to_owned(),
        }
    }

    fn default(form: Form) -> String {
        match form {
            Form::Count { default, .. } | Form::Steps(default) => default.to_string(),
            Form::Word(words) => format!("`\"{}\"`", words[0]),
            Form::Switch => "`true`".to_owned(),
            Form::Engine(id) => called(id),
            Form::Other => "see below".to_owned(),
        }
    }

    fn row(key: &str) -> String {
        let having: Vec<(String, &Setting)> = ENGINES
            .iter()
            .flat_map(|engine| engine.settings.iter().map(|setting| (called(engine.id), setting)))
            .filter(|(_, setting)| setting.key == key)
            .collect();
        let (_, first) = &having[0];
        let usual = default(first.form);
        let others: Vec<String> = having
            .iter()
            .filter(|(_, setting)| default(setting.form) != usual)
            .map(|(engine, setting)| format!("{engine}: {}", default(setting.form)))
            .collect();
        let usual = if others.is_empty() {
            usual
        } else {
            format!("{usual} ({})", others.join(", "))
        };
        assert!(
            having.iter().all(|(_, setting)| setting.about == first.about),
            "{key}"
        );
        let engines: Vec<&str> = having.iter().map(|(engine, _)| engine.as_str()).collect();
        format!(
            "| `{key}` | {} | {usual} | {}: {}. |",
            value(first.form),
            engines.join(", "),
            first.about
        )
    }

    #[test]
    fn the_tables_of_the_readme_are_what_the_engines_declare() {
        let readme = include_str!("../../../../personas/README.md");
        assert!(
            readme.contains("| `max_iterations` | 1 to 100 | Brain calls of a loop that may ask for tools; goes before the budget. |")
        );
        let mut keys: Vec<&str> = Vec::new();
        for setting in declared() {
            if setting.key != "max_iterations" && !keys.contains(&setting.key) {
                keys.push(setting.key);
            }
        }
        let rows: Vec<String> = keys.iter().map(|key| row(key)).collect();
        let table = readme.split("| Key | Value | Without it | Engine and meaning |\n|---|---|---|---|\n");
        let written = table.last().unwrap().split("\n| `channels`").next().unwrap();
        assert_eq!(written, rows.join("\n"));
    }
}

//! The settings that people change, each as a small form that says what counts now and where that was said. Changes none.

use loquat_agent::printable::printable;
use loquat_settings::Origin;
use maud::{Markup, html};

use super::super::shell::csrf;
use super::said;
use crate::device::{Administration, CurrentSettings, EasySetting, ListedSetting};
use crate::session::Session;

/// Languages in which everything that people say is understood without a model.
const LANGUAGES: [(&str, &str); 7] = [
    ("en-US", "English (US)"),
    ("en-GB", "English (GB)"),
    ("de-DE", "Deutsch"),
    ("fr-FR", "Français"),
    ("es-ES", "Español"),
    ("it-IT", "Italiano"),
    ("pt-PT", "Português"),
];

/// What the forms are made of.
pub(in super::super) struct Fields<'a> {
    pub(in super::super) session: &'a Session,
    pub(in super::super) current: &'a CurrentSettings,
    pub(in super::super) administration: &'a dyn Administration,
    /// Where a person comes back to.
    pub(in super::super) back: &'static str,
}

/// A setting that is chosen from a list.
struct Choice<'a> {
    what: EasySetting,
    label: &'a str,
    /// The words for leaving it to what is weaker than the person's file.
    unset: String,
    /// Values and their words.
    values: Vec<(String, String)>,
}

impl Fields<'_> {
    fn line(&self, what: EasySetting) -> Option<&ListedSetting> {
        let key = self.administration.key(what);
        self.current.settings.iter().find(|line| line.entry.key == key)
    }

    /// Writes the value of a setting as a field holds it; empty where it is not set.
    fn value(&self, what: EasySetting) -> String {
        self.line(what).map_or_else(String::new, |line| said(&line.entry))
    }

    /// Says where a setting was said, and that it counts later.
    fn source(&self, what: EasySetting) -> Markup {
        let line = self.line(what);
        let said = line.filter(|line| line.entry.origin != Origin::Default);
        html! {
            @if let Some(line) = said { span.hint { "from " (printable(&line.entry.origin.to_string())) } }
            @if line.is_some_and(|line| !line.counts) { " " span.badge.busy { "after a restart" } }
        }
    }

    /// Frames the fields of some settings with what saves them.
    fn form(&self, id: &str, title: &str, content: &Markup) -> Markup {
        html! {
            form.card.setting id=(id) method="post" action="/settings" aria-labelledby={(id) "-title"} {
                h2 id={(id) "-title"} { (title) }
                (csrf(self.session))
                input type="hidden" name="back" value=(self.back);
                (content)
                button.primary { "Save" }
            }
        }
    }

    fn chosen(&self, choice: &Choice<'_>) -> Markup {
        let key = self.administration.key(choice.what);
        let now = self.value(choice.what);
        // "en-us" is English as well as "en-US" is.
        let is_now = |value: &str| value.eq_ignore_ascii_case(&now);
        let is_other = !now.is_empty() && !choice.values.iter().any(|(value, _)| is_now(value));
        html! {
            div.field {
                label for=(key) { (choice.label) }
                select id=(key) name=(key) {
                    option value="" selected[now.is_empty()] { (choice.unset) }
                    @for (value, words) in &choice.values { option value=(value) selected[is_now(value)] { (words) } }
                    @if is_other { option value=(now) selected { (now) } }
                }
                (self.source(choice.what))
            }
        }
    }

    fn typed(&self, what: EasySetting, label: &str, example: &str) -> Markup {
        let key = self.administration.key(what);
        html! {
            div.field {
                label for=(key) { (label) }
                input id=(key) name=(key) value=(self.value(what)) placeholder={"as in " (example)} maxlength="300" autocomplete="off";
                (self.source(what))
            }
        }
    }
}

fn same(values: &[String]) -> Vec<(String, String)> {
    values
        .iter()
        .map(|value| (value.clone(), value.clone()))
        .collect()
}

fn pairs(values: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = values
        .iter()
        .map(|(value, words)| ((*value).to_owned(), (*words).to_owned()));
    owned.collect()
}

pub(in super::super) fn language(fields: &Fields<'_>) -> Markup {
    let choice = Choice {
        what: EasySetting::Language,
        label: "The device is spoken to in",
        unset: format!("as it is: {}", fields.current.choices.language),
        values: pairs(&LANGUAGES),
    };
    fields.form("language", "Language", &fields.chosen(&choice))
}

/// Asks for the town, which a service looks up once a person presses the button for that, or for the coordinates.
pub(in super::super) fn place(fields: &Fields<'_>) -> Markup {
    let choices = &fields.current.choices;
    let [latitude, longitude] = [EasySetting::Latitude, EasySetting::Longitude];
    let content = html! {
        (fields.typed(EasySetting::Place, "What it is called", "Lisbon"))
        div.pair {
            (fields.typed(latitude, "Degrees north", "38.72"))
            (fields.typed(longitude, "Degrees east", "-9.14"))
        }
        (fields.typed(EasySetting::TimeZone, "Time zone", "Europe/Lisbon"))
    };
    html! {
        section.card.setting id="place" aria-labelledby="place-heading" {
            h2 id="place-heading" { "Place" }
            p {
                @match &choices.place { Some(place) => { "Now: " strong { (printable(place)) } "." }, None => "It is not known yet." }
                @if let Some(zone) = &choices.time_zone { " The time zone is " (printable(zone)) "." }
            }
            form method="post" action="/settings/towns" {
                (csrf(fields.session))
                input type="hidden" name="back" value=(fields.back);
                label for="town" { "Town" }
                div.row {
                    input id="town" name="town" placeholder="as in Lisbon" maxlength="100" required autocomplete="off";
                    button.primary { "Look it up" }
                }
                p.hint { "The button asks " (printable(&choices.town_server)) " where that is: its name is sent there." }
            }
            details {
                summary { "Write the coordinates instead; nobody is asked then" }
                div.inside { (fields.form("coordinates", "Coordinates", &content)) }
            }
        }
    }
}

pub(in super::super) fn units(fields: &Fields<'_>) -> Markup {
    let units = Choice {
        what: EasySetting::Units,
        label: "Measures are told in",
        unset: format!("as it is: {}", fields.current.choices.units),
        values: pairs(&[("metric", "metric: °C, km"), ("imperial", "imperial: °F, miles")]),
    };
    let clock = Choice {
        what: EasySetting::TimeFormat,
        label: "The time is told with",
        unset: "as the language is used to".to_owned(),
        values: pairs(&[("half", "12 hours"), ("full", "24 hours")]),
    };
    let content = html! { (fields.chosen(&units)) (fields.chosen(&clock)) };
    fields.form("units", "Units", &content)
}

pub(in super::super) fn persona(fields: &Fields<'_>) -> Markup {
    let choice = Choice {
        what: EasySetting::Persona,
        label: "Who answers, where no other is asked for",
        unset: "Loquat, or the first that can".to_owned(),
        values: same(&fields.current.choices.personas),
    };
    let content = html! {
        (fields.chosen(&choice))
        p.hint { a href="/personas" { "What each of them is, and new ones" } }
    };
    fields.form("persona", "Persona", &content)
}

pub(in super::super) fn model(fields: &Fields<'_>) -> Markup {
    let choice = Choice {
        what: EasySetting::Model,
        label: "The model on this device",
        unset: "as fits the memory".to_owned(),
        values: same(&fields.current.choices.models),
    };
    let content = html! {
        (fields.chosen(&choice))
        p.hint { a href="/models" { "Fetch another one" } }
    };
    fields.form("model", "Language model", &content)
}

pub(in super::super) fn wake_word(fields: &Fields<'_>) -> Markup {
    let words = fields.current.choices.wake_words.iter();
    let words = words.map(|word| (word.clone(), word.replace('_', " ")));
    let choice = Choice {
        what: EasySetting::WakeWord,
        label: "It listens when it hears",
        unset: "hey mycroft (the usual one)".to_owned(),
        values: words
            .chain([("off".to_owned(), "nothing; only when asked to".to_owned())])
            .collect(),
    };
    let content = html! {
        (fields.chosen(&choice))
        p.hint { "Its model is fetched under " a href="/models" { "Models" } "." }
    };
    fields.form("wake-word", "Wake word", &content)
}

pub(in super::super) fn voice(fields: &Fields<'_>) -> Markup {
    let voices = fields.current.choices.voices.iter();
    let voices = voices.map(|file| {
        let name = file.rsplit('/').next().unwrap_or(file);
        (file.clone(), name.trim_end_matches(".onnx").to_owned())
    });
    let choice = Choice {
        what: EasySetting::Voice,
        label: "Which voice",
        unset: "one for the language".to_owned(),
        values: voices.collect(),
    };
    let content = html! {
        (fields.chosen(&choice))
        @if fields.current.choices.voices.is_empty() {
            p.hint { "No voice of Piper is on this device, so espeak-ng speaks where it is installed." }
        }
        (fields.typed(EasySetting::Speed, "Words per minute, where Loquat speaks itself", "175"))
    };
    fields.form("voice", "Voice", &content)
}

pub(in super::super) fn home(fields: &Fields<'_>) -> Markup {
    let has_token = !fields.value(EasySetting::HomeToken).is_empty();
    let content = html! {
        (fields.typed(EasySetting::Home, "Its address", "http://homeassistant.local:8123"))
        div.field {
            label for="home-token" {
                "Its long-lived token" @if has_token { span.hint { " (one is kept; empty leaves it)" } }
            }
            input id="home-token" name="home-token" type="password" autocomplete="off" maxlength="1000";
            p.hint {
                "Made in Home Assistant: your profile, Security. A user without administration rights is enough. It is kept in a file "
                "that only you can read."
            }
        }
    };
    fields.form("home", "Home Assistant", &content)
}

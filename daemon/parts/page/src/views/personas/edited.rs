//! A persona while it is edited: what people change in fields, the rest of its file as it stands there, and what is wrong with it
//! before it is saved. Judges nothing itself, and shows no secret.

use std::sync::Arc;

use axum::extract::{Extension, Query, State};
use axum::response::{IntoResponse, Response};
use loquat_persona::written_secrets::{COVER, cover, uncover};
use loquat_settings::commented_json::parse_object;
use loquat_settings::{Complaint, Origin};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::settings::complaints;
use super::super::shell::{View, csrf, shell};
use crate::answer::answered;
use crate::device::PersonaFile;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// Keys that have a field of their own, with its label.
const FIELDS: [(&str, &str); 3] = [
    ("name", "Name"),
    ("description", "What it is for, in a sentence"),
    ("system_prompt", "Its instructions: who it is, and how it answers"),
];

/// Which persona is edited, or copied.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Which {
    id: Option<String>,
    from: Option<String>,
}

/// A persona as the form holds it.
#[derive(Debug, Default)]
struct Edited {
    /// The one whose file it is to take the place of; none of a new one.
    id: Option<String>,
    /// The one whose file was read: from there come secrets that are not shown.
    of: Option<String>,
    fields: [String; 3],
    rest: String,
}

impl Edited {
    /// Takes the text of a file apart.
    fn of_file(id: Option<String>, text: &str) -> Self {
        let Ok(Some(mut object)) = parse_object(text, &Origin::Default) else {
            // What is no object is shown as it is.
            return Self {
                id,
                rest: text.to_owned(),
                ..Self::default()
            };
        };
        let fields = FIELDS.map(|(key, _)| match object.shift_remove(key) {
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
            None => String::new(),
        });
        cover(&mut object);
        Self {
            id,
            fields,
            rest: pretty(object),
            ..Self::default()
        }
    }

    fn sent(sent: &Submission) -> Self {
        let text = |name| sent.get(name).unwrap_or_default().to_owned();
        let named = |name| sent.get(name).filter(|id| !id.is_empty()).map(str::to_owned);
        Self {
            id: named("id"),
            of: named("of").or_else(|| named("id")),
            fields: FIELDS.map(|(key, _)| text(key)),
            rest: text("rest"),
        }
    }

    /// Puts the file together, with what people change at its head, and with the secrets of the file that was read.
    fn text(&self, read: &Map<String, Value>) -> Result<String, Complaint> {
        let mut rest = parse_object(&self.rest, &Origin::Default)?.unwrap_or_default();
        uncover(&mut rest, read).map_err(|key| {
            let why = format!("{key} is {COVER}, and none was there before; write it");
            Complaint::refusal(Origin::Default, why)
        })?;
        let fields = FIELDS.iter().zip(&self.fields);
        let fields = fields.filter(|(_, text)| !text.trim().is_empty());
        let fields = fields
            .map(|((key, _), text)| ((*key).to_owned(), Value::from(text.trim().replace("\r\n", "\n"))));
        Ok(pretty(fields.chain(rest).collect()))
    }
}

fn pretty(object: Map<String, Value>) -> String {
    let text = serde_json::to_string_pretty(&Value::Object(object));
    text.unwrap_or_default() + "\n"
}

/// Reads the file of a persona.
async fn file_of(page: &PageState, id: String) -> Option<PersonaFile> {
    let administration = Arc::clone(&page.device.administration);
    let read = tokio::task::spawn_blocking(move || administration.persona_file(&id));
    read.await.ok().flatten()
}

/// Reads what the file holds from which the edited one was made; nothing where there is none.
async fn read_for(page: &PageState, edited: &Edited) -> Map<String, Value> {
    let file = match edited.of.clone() {
        Some(of) => file_of(page, of).await,
        None => None,
    };
    let object = file.and_then(|file| parse_object(&file.text, &Origin::Default).ok().flatten());
    object.unwrap_or_default()
}

/// Shows the form of one that is there, or of a copy that is to be a new one.
pub(in super::super) async fn edit(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Query(which): Query<Which>,
) -> Response {
    let wanted = which.id.clone().or(which.from).unwrap_or_default();
    let Some(file) = file_of(&page, wanted.clone()).await else {
        return answered(
            &session,
            "/personas",
            Err("There is no such persona any more.".to_owned()),
        );
    };
    let is_new = which.id.is_none();
    let mut edited = Edited::of_file(which.id.filter(|_| file.is_own), &file.text);
    edited.of = Some(wanted);
    if is_new {
        let [name, ..] = &mut edited.fields;
        name.clear();
    }
    let note = if is_new || file.is_own {
        None
    } else {
        Some(
            "It is part of the program. What you save is a file of your own, which takes its place under the same name.",
        )
    };
    form(&page, &session, &edited, None, note)
}

/// Shows the form, with what is wrong where that was looked for.
fn form(
    page: &PageState,
    session: &Session,
    edited: &Edited,
    judged: Option<&[Complaint]>,
    note: Option<&str>,
) -> Response {
    let content = html! {
        @if let Some(judged) = judged { (verdict(judged)) }
        @if let Some(note) = note { p.notice { (note) } }
        form.card method="post" action="/personas/edit" {
            (csrf(session))
            input type="hidden" name="id" value=(edited.id.as_deref().unwrap_or_default());
            input type="hidden" name="of" value=(edited.of.as_deref().unwrap_or_default());
            @for ((key, label), text) in FIELDS.iter().zip(&edited.fields) {
                div.field {
                    label for=(key) { (label) }
                    @if *key == "system_prompt" {
                        textarea id=(key) name=(key) rows="6" { "\n" (text) }
                    } @else {
                        input id=(key) name=(key) value=(text) required[*key == "name"] maxlength="200" autocomplete="off";
                    }
                }
            }
            details open[judged.is_some_and(|judged| !judged.is_empty())] {
                summary { "The rest of its file: model, tools and limits" }
                div.inside {
                    label for="rest" { "As JSON; the book tells every key. A secret that is " (COVER) " stays as it is" }
                    textarea.code id="rest" name="rest" rows="16" spellcheck="false" { "\n" (edited.rest) }
                }
            }
            div.row {
                button.primary name="do" value="save" { "Check and save" }
                button name="do" value="check" { "Only check" }
                a href="/personas" { "Leave it" }
            }
        }
    };
    let title = match edited.fields.first().map(String::as_str) {
        None | Some("") => "New persona",
        Some(name) => name,
    };
    let view = View {
        path: "/personas/edit",
        title,
        live: None,
        content,
    };
    shell(page, session, &view).into_response()
}

fn verdict(judged: &[Complaint]) -> Markup {
    let is_refused = judged.iter().any(Complaint::is_refusal);
    html! {
        @if is_refused { p.fault role="alert" { "It could not answer like this, so nothing is saved." } }
        @else { p.fine role="status" { "It can answer." } }
        @if !judged.is_empty() { (complaints(judged)) }
    }
}

/// Checks what was sent, and saves it where it can answer.
pub(in super::super) async fn keep(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let edited = Edited::sent(&sent);
    let read = read_for(&page, &edited).await;
    let text = match edited.text(&read) {
        Ok(text) => text,
        Err(complaint) => return form(&page, &session, &edited, Some(&[complaint]), None),
    };
    let administration = Arc::clone(&page.device.administration);
    let looked_at = text.clone();
    let judged = tokio::task::spawn_blocking(move || administration.judge_persona(&looked_at)).await;
    let Ok(judged) = judged else {
        return answered(
            &session,
            "/personas",
            Err("It could not be checked; see the log.".to_owned()),
        );
    };
    let is_refused = judged.iter().any(Complaint::is_refusal);
    if is_refused || sent.get("do") != Some("save") {
        return form(&page, &session, &edited, Some(&judged), None);
    }
    let kept = page
        .device
        .administration
        .keep_persona(edited.id.clone(), text)
        .await;
    match kept {
        Ok(report) => answered(&session, "/personas", Ok(Some(format!("It is saved.\n{report}")))),
        Err(why) => {
            let complaint = Complaint::refusal(Origin::Default, why);
            form(&page, &session, &edited, Some(&[complaint]), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_with_what_was_changed_and_all_the_rest() {
        let file = r#"{
  // mine
  "name": "Kitchen",
  "handlers": ["ovos-react-loop"],
  "system_prompt": "You cook.",
  "budget": {"deadline_seconds": 60}
}"#;
        let mut edited = Edited::of_file(Some("kitchen".to_owned()), file);
        assert_eq!(edited.fields, ["Kitchen", "", "You cook."]);
        "You bake.\r\nWell.".clone_into(&mut edited.fields[2]);
        let text = edited.text(&Map::new()).unwrap();
        let wanted = serde_json::json!({"name": "Kitchen", "system_prompt": "You bake.\nWell.",
            "handlers": ["ovos-react-loop"], "budget": {"deadline_seconds": 60}});
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), wanted);
        assert!(text.starts_with("{\n  \"name\": \"Kitchen\""), "{text}");
        "{\"handlers\": [}".clone_into(&mut edited.rest);
        assert!(edited.text(&Map::new()).unwrap_err().is_refusal());
    }

    #[test]
    fn a_secret_is_not_shown_and_is_still_there_behind_it() {
        let file = r#"{"name": "Far", "handlers": ["loop"], "loop": {"key": "sk-hidden", "model": "large"}}"#;
        let edited = Edited::of_file(None, file);
        assert!(!edited.rest.contains("sk-hidden") && edited.rest.contains(COVER));
        let read = parse_object(file, &Origin::Default).unwrap().unwrap();
        assert!(edited.text(&read).unwrap().contains("sk-hidden"));
        assert!(edited.text(&Map::new()).unwrap_err().text.contains("write it"));
    }
}

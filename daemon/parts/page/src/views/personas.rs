//! Who answers: the personas of the device, which of them is the usual one, and the forms by which one is chosen, added, edited
//! and deleted.

mod edited;

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_failure::with_causes;
use loquat_persona::Handler;
use loquat_settings::Origin;
use maud::{Markup, html};

use super::icons::{Icon, icon};
use super::settings::complaints;
use super::shell::{View, button, shell};
use crate::answer::answered;
use crate::device::{EasySetting, ListedPersona, Personas};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

pub(super) use self::edited::{edit, keep};

/// So many toolboxes of a persona are named at once.
const FEW: usize = 8;

/// Reads all of them.
async fn read(page: &PageState) -> Option<Personas> {
    let administration = Arc::clone(&page.device.administration);
    tokio::task::spawn_blocking(move || administration.personas())
        .await
        .ok()
}

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let content = if let Some(read) = read(&page).await {
        html! {
            p.hint {
                "A persona says who answers: its manner, the model that thinks for it, and what it may do. For one conversation alone "
                "another one is chosen beside it, under " a href="/" { "Now" } "."
            }
            @if !read.complaints.is_empty() { (complaints(&read.complaints)) }
            (new(&read))
            @for listed in &read.personas { (card(&session, listed)) }
            @if read.complaints.is_empty() { (complaints(&read.complaints)) }
            (button(&session, "/reload", &[("back", "/personas")], &html! { button { (icon(Icon::Again)) "Read settings and personas again" } }))
        }
    } else {
        html! { p.fault { "The files of personas could not be read; see the log." } }
    };
    let view = View {
        path: "/personas",
        title: "Personas",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

/// Begins one of one's own, from any that is there.
fn new(read: &Personas) -> Markup {
    html! {
        form.card method="get" action="/personas/edit" {
            label for="from" { "A persona of your own, which begins as" }
            div.row {
                select id="from" name="from" {
                    @for listed in &read.personas {
                        option value=(listed.persona.id) {
                            (printable(&listed.persona.name))
                            @if let Some(about) = &listed.persona.description { ": " (printable(about)) }
                        }
                    }
                }
                button.primary { (icon(Icon::Add)) "New persona" }
            }
        }
    }
}

fn card(session: &Session, listed: &ListedPersona) -> Markup {
    let ListedPersona {
        persona,
        answers,
        is_default,
        why_not,
    } = listed;
    let why_not = why_not
        .as_deref()
        .or((!answers).then_some("its file was read after the last start or reading; read them again"));
    html! {
        article.card id={"persona-" (persona.id)} aria-label=(persona.name) {
            div.row {
                h2 {
                    (printable(&persona.name)) " "
                    @if *is_default { span.badge.good { "answers" } }
                    @if !answers { span.badge.bad { "not ready" } }
                }
                (deeds(session, listed))
            }
            @if let Some(why) = why_not { p.fault { (printable(why)) } }
            @if let Some(about) = &persona.description { p { (printable(about)) } }
            details {
                summary { "How it answers" }
                dl.facts.inside {
                    dt { "Read from" } dd { code { (printable(&persona.origin.to_string())) } }
                    @if let Some(lang) = &persona.lang { dt { "Language" } dd { (printable(lang)) } }
                    @for handler in &persona.handlers { (way(handler)) }
                }
            }
            @if let Some(prompt) = &persona.system_prompt {
                details { summary { "Its instructions" } div.inside { pre tabindex="0" { (crate::veil::lines(prompt)) } } }
            }
        }
    }
}

/// Shows what can be done with one. Of the program's own a copy is edited, which takes its place where it has its name.
fn deeds(session: &Session, listed: &ListedPersona) -> Markup {
    let (id, name) = (listed.persona.id.as_str(), &listed.persona.name);
    let is_file = matches!(listed.persona.origin, Origin::File { .. });
    let choose = html! { button aria-label={"Use this one: " (name)} { "Use this one" } };
    let delete = html! {
        button.quiet data-sure={"Delete the file of " (name) "?"} aria-label={"Delete " (name)} { (icon(Icon::Delete)) "Delete" }
    };
    html! {
        div.deeds {
            @if !listed.is_default && listed.answers { (button(session, "/personas/use", &[("name", name)], &choose)) }
            a.button.quiet href={"/personas/edit?id=" (id)} aria-label={"Edit " (name)} { (icon(Icon::Edit)) "Edit" }
            @if is_file { (button(session, "/personas/delete", &[("id", id)], &delete)) }
        }
    }
}

/// Shows one way of a persona to answer.
fn way(handler: &Handler) -> Markup {
    let boxes: Vec<&str> = handler
        .toolboxes
        .iter()
        .map(|choice| choice.id.as_str())
        .collect();
    html! {
        dt { "Answers by" } dd { code { (printable(handler.lookup.as_deref().unwrap_or(&handler.engine_id))) } }
        @if boxes.len() > FEW {
            dt { "With" }
            dd { details { summary { (boxes.len()) " toolboxes" } (printable(&boxes.join(", "))) } }
        } @else if !boxes.is_empty() { dt { "With the tools of" } dd { (printable(&boxes.join(", "))) } }
    }
}

/// Has one answer where no other is asked for.
pub(super) async fn choose(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let name = sent.get("name").unwrap_or_default();
    let wish = (EasySetting::Persona, name.to_owned());
    let mut chosen = page.device.administration.change(vec![wish]).await.map(drop);
    // Else who was chosen for the conversation would go on in it.
    if chosen.is_ok() {
        chosen = page.device.conversation.choose(None).await.map(drop);
    }
    let told = chosen.map(|()| Some(format!("{} answers from now on.", printable(name))));
    answered(&session, "/personas", told)
}

/// Deletes the file of one of the person's own.
pub(super) async fn delete(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let id = sent.get("id").unwrap_or_default().to_owned();
    let deleted = page.device.administration.delete_persona(id).await;
    answered(
        &session,
        "/personas",
        deleted.map(|report| Some(format!("It is deleted.\n{report}"))),
    )
}

/// Reads settings and personas again.
pub(super) async fn reload(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let done = page.orders.reload().await;
    let back = sent.get("back").unwrap_or("/settings");
    answered(
        &session,
        back,
        done.map(Some).map_err(|error| with_causes(&error)),
    )
}

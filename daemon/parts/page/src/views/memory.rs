//! What persons had remembered, with ways to add to it, change it and have it forgotten.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use jiff::Timestamp;
use loquat_agent::printable::printable;
use loquat_skills::{Memory, Source};
use maud::{Markup, html};

use super::shell::{View, button, csrf, shell};
use super::tools::carried_out::carried_out;
use crate::answer::answered;
use crate::clock::day_and_time;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

const TOOLBOX: &str = loquat_skills::memory::ID;

/// What one thing that is remembered may hold; the tool refuses more, and says so.
const LONGEST: &str = "300";

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = match page.device.resources.memories.of_all_owners().await {
        Ok(all) => html! {
            @if all.is_empty() {
                div.empty {
                    p { strong { "Nothing is remembered." } }
                    p { "Say “remember that I park on the left side”, or write it here." }
                }
            } @else {
                ul.rows { @for (id, memory) in &all { li { (row(id, memory, &session, veil)) } } }
            }
            form.card method="post" action="/memory/add" {
                (csrf(&session))
                label for="fact" { "Have something remembered" }
                div.row {
                    input id="fact" name="fact" placeholder="as in I park on the left side" maxlength=(LONGEST) required autocomplete="off";
                    button { "Remember" }
                }
            }
        },
        Err(why) => html! { p.fault { "What is remembered cannot be read, since " (why) "." } },
    };
    let view = View {
        path: "/memory",
        title: "Memory",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn row(id: &str, memory: &Memory, session: &Session, veil: Veil) -> Markup {
    let field = format!("memory-{id}");
    let since = day_and_time(Timestamp::from_second(memory.since).unwrap_or_default());
    let face =
        html! { button.quiet data-sure="Forget this?" aria-label={"Forget number " (id)} { "Forget" } };
    html! {
        div {
            p.what { (veil.words(&memory.text)) }
            p.figures {
                (source(memory.source)) ", " (since)
                @if memory.owner != "default" { ", in " (printable(&memory.owner)) }
            }
        }
        div.deeds {
            // What is covered is not put into a field either, and another conversation's is not ours to say.
            @if veil == Veil::Lifted && memory.owner == "default" {
                details.change {
                    summary.quiet aria-label={"Change number " (id)} { "Change" }
                    form method="post" action="/memory/change" {
                        (csrf(session))
                        input type="hidden" name="id" value=(id);
                        label for=(field) { "What is remembered" }
                        div.row {
                            input id=(field) name="fact" value=(memory.text) maxlength=(LONGEST) required autocomplete="off";
                            button.primary { "Change" }
                        }
                    }
                }
            }
            (button(session, "/memory/forget", &[("id", id)], &face))
        }
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Told => "told by a person",
        Source::Noted => "noted by the device",
        Source::Program => "brought by a program",
    }
}

/// Has something remembered, as who says so has it.
pub(super) async fn add(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    remembered(&page, &session, &sent).await
}

async fn remembered(page: &Arc<PageState>, session: &Arc<Session>, sent: &Submission) -> Response {
    let arguments = [("fact", sent.words("fact"))];
    carried_out(page, session, "/memory", (TOOLBOX, "remember"), &arguments).await
}

/// Has something else remembered in the place of what a form names.
pub(super) async fn change(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let is_said = sent.get("fact").is_some_and(|fact| !fact.trim().is_empty());
    match forgotten(&page, &sent).await {
        Ok(true) if is_said => remembered(&page, &session, &sent).await,
        Ok(_) => answered(&session, "/memory", Err(GONE.to_owned())),
        Err(why) => answered(&session, "/memory", Err(why)),
    }
}

const GONE: &str = "It is not remembered any more.";

/// Forgets what a form names.
pub(super) async fn forget(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let done = match forgotten(&page, &sent).await {
        Ok(true) => Ok(Some("Forgotten.".to_owned())),
        Ok(false) => Err(GONE.to_owned()),
        Err(why) => Err(why),
    };
    answered(&session, "/memory", done)
}

/// Forgets what a form names; whether it was remembered.
async fn forgotten(page: &PageState, sent: &Submission) -> Result<bool, String> {
    let memories = &page.device.resources.memories;
    let unkept = |why| format!("Nothing was forgotten, since {why}.");
    let known = memories.of_all_owners().await.map_err(unkept)?;
    let id = sent.get("id").unwrap_or_default();
    if !known.iter().any(|(known, _)| known == id) {
        return Ok(false);
    }
    memories.forget([id.to_owned()]).await.map_err(unkept)?;
    Ok(true)
}

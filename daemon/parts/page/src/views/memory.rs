//! What persons had remembered, with ways to add to it, change it and have it forgotten.

use std::fmt::Display;
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use jiff::Timestamp;
use loquat_agent::printable::printable;
use loquat_skills::{Memory, Source};
use maud::{Markup, html};

use super::icons::{Icon, icon};
use super::shell::{View, button, csrf, shell};
use super::tools::carried_out::{Outcome, carried_out, outcome};
use crate::answer::{answered, see};
use crate::clock::day_and_time;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

/// The tool that remembers.
const REMEMBER: (&str, &str) = (loquat_skills::memory::ID, "remember");

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
                ul.rows { @for (id, memory) in &all { li id={"kept-" (id)} { (row(id, memory, &session, veil)) } } }
            }
            form.card method="post" action="/memory/add" {
                (csrf(&session))
                label for="fact" { "Have something remembered" }
                div.row {
                    input id="fact" name="fact" placeholder="as in I park on the left side" maxlength=(LONGEST) required autocomplete="off";
                    button { (icon(Icon::Add)) "Remember" }
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
    let face = html! { button.quiet data-sure="Forget this?" aria-label={"Forget number " (id)} { (icon(Icon::Delete)) "Forget" } };
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
    let arguments = [("fact", sent.words("fact"))];
    carried_out(&page, &session, "/memory", REMEMBER, &arguments).await
}

/// Has something else remembered in the place of what a form names, which is forgotten only behind that.
pub(super) async fn change(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let before = match known(&page).await {
        Ok(known) => known.into_iter().find(|(id, _)| Some(&**id) == sent.get("id")),
        Err(why) => return answered(&session, "/memory", Err(why)),
    };
    let Some((id, before)) = before else {
        return answered(&session, "/memory", Err(GONE.to_owned()));
    };
    let arguments = [("fact", sent.words("fact"))];
    let remembered = match outcome(&page, &session, REMEMBER, &arguments).await {
        Outcome::UnderWay(turn) => return see(&turn),
        Outcome::Ended(remembered) => remembered,
    };
    let done = match remembered {
        Ok(told) => replaced(&page, (id, before), &sent).await.map(|()| Some(told)),
        Err(why) => Err(why),
    };
    answered(&session, "/memory", done)
}

/// Forgets what was changed, now that its new words are remembered beside it. Words that differ in case alone have taken its
/// place already.
async fn replaced(page: &PageState, before: (String, Memory), sent: &Submission) -> Result<(), String> {
    let known = known(page).await?;
    let fact = sent.get("fact").unwrap_or_default().trim();
    let is_new = |(id, memory): &(String, Memory)| *id != before.0 && memory.text == fact;
    if before.1.text != fact && known.contains(&before) && known.iter().any(is_new) {
        forgotten(page, sent).await?;
    }
    Ok(())
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
    let id = sent.get("id").unwrap_or_default().to_owned();
    if !known(page).await?.iter().any(|(known, _)| *known == id) {
        return Ok(false);
    }
    let memories = &page.device.resources.memories;
    memories.forget([id]).await.map_err(|why| unkept(&why))?;
    Ok(true)
}

/// All that is remembered, of everybody.
async fn known(page: &PageState) -> Result<Vec<(String, Memory)>, String> {
    let memories = &page.device.resources.memories;
    memories.of_all_owners().await.map_err(|why| unkept(&why))
}

fn unkept(why: &impl Display) -> String {
    format!("Nothing was forgotten, since {why}.")
}

//! The lists of the device, with ways to take things off them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_skills::{Overview, Unkept};
use maud::{Markup, html};

use super::shell::{View, button, shell};
use crate::answer::answered;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = match page.device.resources.lists.overview().await {
        Ok(all) => html! {
            @if all.is_empty() { p.hint { "Nothing is on any list. Say: put apples on the shopping list." } }
            @for (number, list) in all.iter().enumerate() { (card(number + 1, list, &session, veil)) }
        },
        Err(why) => html! { p.fault { "The lists cannot be read, since " (why) "." } },
    };
    let view = View {
        path: "/lists",
        title: "Lists",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn card(place: usize, list: &Overview, session: &Session, veil: Veil) -> Markup {
    let clear = html! { button.quiet data-sure="Take everything off this list?" { "Clear" } };
    let own = mark(session, &list.id);
    let heading = format!("list-{place}");
    html! {
        section.card aria-labelledby=(heading) {
            div.row {
                h2 id=(heading) { (veil.words(&list.name)) }
                (button(session, "/lists/remove", &[("list", &own)], &clear))
            }
            ul.rows {
                @for (number, item) in list.items.iter().enumerate() {
                    @let mark = mark(session, item);
                    @let name = format!("Take off number {} of list {place}", number + 1);
                    @let face = html! { button.quiet aria-label=(name) { "Take off" } };
                    li {
                        p.what { (veil.words(item)) }
                        (button(session, "/lists/remove", &[("list", &own), ("item", &mark)], &face))
                    }
                }
            }
        }
    }
}

/// Makes a mark that stands for a list, or for a thing on one, in a form. It says nothing of its words, and
/// stays the same when others come and go.
fn mark(session: &Session, item: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (&session.csrf, item).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Takes one thing off a list, or everything.
pub(super) async fn remove(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let done = match taken(&page, &session, &sent).await {
        Ok(0) => Err("It was gone already.".to_owned()),
        Ok(count) => Ok(Some(format!("Taken off: {count}."))),
        Err(why) => Err(format!("Nothing was changed, since {why}.")),
    };
    answered(&session, "/lists", done)
}

/// Takes off what a form names, and tells how many things went.
async fn taken(page: &PageState, session: &Session, sent: &Submission) -> Result<usize, Unkept> {
    let lists = &page.device.resources.lists;
    let wanted = sent.get("list").unwrap_or_default();
    let all = lists.overview().await?;
    let Some(list) = all.into_iter().find(|list| mark(session, &list.id) == wanted) else {
        return Ok(0);
    };
    let Some(wanted) = sent.get("item") else {
        return lists.take_off(&list.id, None).await;
    };
    match list.items.iter().find(|item| mark(session, item) == wanted) {
        Some(item) => lists.take_off(&list.id, Some(item)).await,
        None => Ok(0),
    }
}

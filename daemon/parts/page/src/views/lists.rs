//! The lists of the device, with ways to add, change and delete what is on them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_skills::{Overview, Unkept};
use maud::{Markup, html};

use super::icons::{Icon, icon};
use super::shell::{View, button, csrf, shell};
use super::tools::carried_out::carried_out;
use crate::answer::answered;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

const TOOLBOX: &str = loquat_skills::lists::ID;

/// The id of the list that is meant where none is named.
const SHOPPING: &str = "shopping";

/// What one list holds; a longer one is refused by the tool, and said so.
const LONGEST: &str = "200";

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = match page.device.resources.lists.overview().await {
        Ok(all) => html! {
            @if all.is_empty() {
                div.empty {
                    p { strong { "Nothing is on any list." } }
                    p { "Say “put apples on the shopping list”, or write it here." }
                }
            }
            @if all.iter().all(|list| list.id != SHOPPING) {
                (add(&session, None, "new", "Add to the shopping list"))
            }
            @for (number, list) in all.iter().enumerate() { (card(number + 1, list, &session, veil)) }
            (new(&session))
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

/// Shows what adds to a list; to the shopping list where none is named.
fn add(session: &Session, list: Option<&str>, place: &str, label: &str) -> Markup {
    let field = format!("add-{place}");
    html! {
        form.adds.card[list.is_none()] method="post" action="/lists/add" {
            (csrf(session))
            @if let Some(list) = list { input type="hidden" name="list" value=(list); }
            label for=(field) { (label) }
            div.row {
                input id=(field) name="items" placeholder="as in milk, eggs and bread" maxlength="1000" required autocomplete="off";
                button { (icon(Icon::Add)) "Add" }
            }
        }
    }
}

fn new(session: &Session) -> Markup {
    html! {
        form.card method="post" action="/lists/new" {
            (csrf(session))
            label for="new-list" { "Begin another list" }
            div.row {
                input id="new-list" name="name" placeholder="as in packing list" maxlength="60" required autocomplete="off";
                button { (icon(Icon::Add)) "Begin" }
            }
        }
    }
}

fn card(place: usize, list: &Overview, session: &Session, veil: Veil) -> Markup {
    let delete = html! { button.quiet data-sure="Delete this list with all that is on it?" { (icon(Icon::Delete)) "Delete list" } };
    let own = mark(session, &list.id);
    html! {
        // Its name may be covered, and two that are covered would be called alike.
        section.card id={"list-" (place)} aria-label={"List " (place)} {
            div.row {
                h2 { (veil.words(&list.name)) }
                (button(session, "/lists/remove", &[("list", &own)], &delete))
            }
            @if list.items.is_empty() { p.hint { "Nothing is on it yet." } }
            ul.rows {
                @for (number, item) in list.items.iter().enumerate() {
                    li { (row(session, (place, number + 1), &own, item, veil)) }
                }
            }
            (add(session, Some(&own), &place.to_string(), "Add to this list"))
        }
    }
}

fn row(session: &Session, (list, number): (usize, usize), own: &str, item: &str, veil: Veil) -> Markup {
    let mark = mark(session, item);
    let field = format!("item-{list}-{number}");
    let named = |what: &str| format!("{what} number {number} of list {list}");
    let face = html! { button.quiet aria-label=(named("Take off")) { (icon(Icon::Delete)) "Take off" } };
    html! {
        p.what { (veil.words(item)) }
        div.deeds {
            // What is covered is not put into a field either.
            @if veil == Veil::Lifted {
                details.change {
                    summary.quiet aria-label=(named("Change")) { "Change" }
                    form method="post" action="/lists/change" {
                        (csrf(session))
                        input type="hidden" name="list" value=(own);
                        input type="hidden" name="item" value=(mark);
                        label for=(field) { "What it says" }
                        div.row {
                            input id=(field) name="to" value=(item) maxlength=(LONGEST) required autocomplete="off";
                            button.primary { "Change" }
                        }
                    }
                }
            }
            (button(session, "/lists/remove", &[("list", own), ("item", &mark)], &face))
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

/// Puts things on a list, as who says so has it done.
pub(super) async fn put(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let list = match sent.get("list") {
        None => None,
        Some(_) => match found(&page, &session, &sent).await {
            Ok(Some(list)) => Some(list.name),
            Ok(None) => return answered(&session, "/lists", Err(GONE.to_owned())),
            Err(why) => return answered(&session, "/lists", Err(unread(why))),
        },
    };
    let arguments = [("items", sent.words("items")), ("list", list.into())];
    carried_out(&page, &session, "/lists", (TOOLBOX, "add_to_list"), &arguments).await
}

/// Begins a list.
pub(super) async fn begin(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let arguments = [("list", sent.words("name"))];
    carried_out(&page, &session, "/lists", (TOOLBOX, "create_list"), &arguments).await
}

const GONE: &str = "It was gone already.";

fn unread(why: Unkept) -> String {
    format!("Nothing was changed, since {why}.")
}

/// Finds the list that a form names.
async fn found(page: &PageState, session: &Session, sent: &Submission) -> Result<Option<Overview>, Unkept> {
    let wanted = sent.get("list").unwrap_or_default();
    let all = page.device.resources.lists.overview().await?;
    Ok(all.into_iter().find(|list| mark(session, &list.id) == wanted))
}

/// Has a thing on a list read otherwise.
pub(super) async fn change(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let (item, to) = (
        sent.get("item").unwrap_or_default(),
        sent.get("to").unwrap_or_default(),
    );
    let changed = async {
        let Some(list) = found(&page, &session, &sent).await? else {
            return Ok(false);
        };
        match list.items.iter().find(|known| mark(&session, known) == item) {
            Some(item) => page.device.resources.lists.reword(&list.id, item, to).await,
            None => Ok(false),
        }
    };
    let done = match changed.await {
        Ok(true) => Ok(Some("Changed.".to_owned())),
        Ok(false) => Err("Nothing was changed: it is gone, or the words are too long.".to_owned()),
        Err(why) => Err(unread(why)),
    };
    answered(&session, "/lists", done)
}

/// Takes one thing off a list, or the list away.
pub(super) async fn remove(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let done = match taken(&page, &session, &sent).await {
        Ok(true) => Ok(Some(
            if sent.get("item").is_some() {
                "Taken off."
            } else {
                "Deleted."
            }
            .to_owned(),
        )),
        Ok(false) => Err(GONE.to_owned()),
        Err(why) => Err(unread(why)),
    };
    answered(&session, "/lists", done)
}

/// Takes off what a form names; whether that was there.
async fn taken(page: &PageState, session: &Session, sent: &Submission) -> Result<bool, Unkept> {
    let lists = &page.device.resources.lists;
    let Some(list) = found(page, session, sent).await? else {
        return Ok(false);
    };
    let Some(wanted) = sent.get("item") else {
        return lists.delete(&list.id).await;
    };
    match list.items.iter().find(|item| mark(session, item) == wanted) {
        Some(item) => Ok(lists.take_off(&list.id, Some(item)).await? > 0),
        None => Ok(false),
    }
}

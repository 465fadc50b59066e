//! The models of the device: what is there, what is used, and what is being fetched.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_failure::with_causes;
use loquat_models::{GgufFacts, Kind, Listed, Offer, Progress, ProgressSink, Store};
use maud::{Markup, html};
use tokio_util::sync::CancellationToken;

use super::icons::{Icon, icon};
use super::piece::Piece;
use super::shell::{View, button, csrf, shell};
use crate::answer::answered;
use crate::change::Change;
use crate::fetches::{Fetch, Stand};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// Tells the page how the download goes that a person has asked for by this name.
struct Told(Arc<PageState>, String);

impl ProgressSink for Told {
    fn progress(&self, progress: Progress<'_>) {
        if let Progress::Bytes { done, total, .. } = progress {
            if self.0.fetches.advance(&self.1, done, total) {
                self.0.tell(Change::Fetch);
            }
        }
    }
}

/// Makes a piece of what is being fetched.
pub(super) fn fetching(page: &PageState, session: &Session) -> Piece {
    let all = page.fetches.all();
    let html = html! {
        ul.rows id="fetching" aria-label="Downloads" {
            @for (name, fetch) in all.iter() { li { (row(name, fetch, session)) } }
        }
    };
    Piece::over("fetching", html)
}

fn row(name: &str, fetch: &Fetch, session: &Session) -> Markup {
    html! {
        div {
            p.what { (name) }
            @match &fetch.stand {
                Stand::Running => {
                    progress max=(fetch.total.max(1)) value=(fetch.done) aria-label={"Download of " (name)} {}
                    p.figures { (size(fetch.done)) " of " (size(fetch.total)) }
                }
                Stand::Done => p.figures { "is there; it counts from the next start on" },
                Stand::Failed(why) => p.fault { (why) },
            }
        }
        @if fetch.stand == Stand::Running {
            (button(session, "/models/stop", &[("name", name)], &html! { button.quiet aria-label={"Stop fetching " (name)} { (icon(Icon::Stop)) "Stop" } }))
        }
    }
}

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let store = page.device.administration.store();
    let content = html! {
        p.hint { "In " code { (store.folder().display()) } ". A model that was fetched counts from the next start on." }
        (fetching(&page, &session).html)
        (from_the_hub(&session))
        (listed(&page, &session).html)
    };
    let view = View {
        path: "/models",
        title: "Models",
        live: Some("/live/models".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// Takes the address of any language model on the hub.
fn from_the_hub(session: &Session) -> Markup {
    html! {
        form.card method="post" action="/models/fetch" {
            (csrf(session))
            label for="address" { "Another language model, by its address on the model hub" }
            div.row {
                input id="address" name="name" placeholder="hf:OWNER/REPO/FILE.gguf" maxlength="512" required;
                button { (icon(Icon::Fetch)) "Fetch it" }
            }
        }
    }
}

/// All models and how they stand, as a piece.
pub(super) fn listed(page: &PageState, session: &Session) -> Piece {
    let store = page.device.administration.store();
    let listed = store.list();
    let (own, others): (Vec<&Listed<'_>>, Vec<&Listed<'_>>) = listed
        .iter()
        .partition(|listed| uses(page, listed) || !matches!(listed.state, loquat_models::State::Absent));
    let html = html! {
        div id="models" {
            div.row {
                h2 { "On this device, or needed here" }
                @if !missing(page, &store).is_empty() {
                    (button(session, "/models/fetch-needed", &[], &html! { button.primary { (icon(Icon::Fetch)) "Fetch all that is needed" } }))
                }
            }
            ul.rows { @for listed in own { li { (model(page, &store, listed, session)) } } }
            h2 { "More that can be fetched" }
            ul.rows {
                @for listed in others { li { (model(page, &store, listed, session)) } }
                @for offer in store.catalogue().offers() { li { (offered(offer, session)) } }
            }
        }
    };
    Piece::over("models", html)
}

/// A model that can be fetched by its name and was not measured here.
fn offered(offer: &Offer, session: &Session) -> Markup {
    html! {
        div {
            p.what { (offer.name) }
            p.figures { "thinking, " (offer.licence) ", not measured by us" }
            p.hint { (offer.about) }
        }
        (fetch_button(&offer.name, session))
    }
}

fn fetch_button(name: &str, session: &Session) -> Markup {
    button(
        session,
        "/models/fetch",
        &[("name", name)],
        &html! { button aria-label={"Fetch " (name)} { (icon(Icon::Fetch)) "Fetch" } },
    )
}

/// Tells whether it is used here, or would be if it were there.
fn uses(page: &PageState, listed: &Listed<'_>) -> bool {
    let name = listed.model.name.as_str();
    match listed.model.kind {
        Kind::Language => page.standing.borrow().language.name == name,
        _ => page.device.administration.uses(name),
    }
}

fn model(page: &PageState, store: &Store, listed: &Listed<'_>, session: &Session) -> Markup {
    let name = listed.model.name.as_str();
    let is_used = uses(page, listed);
    let is_there = matches!(listed.state, loquat_models::State::Complete);
    html! {
        div {
            p.what {
                (name) " "
                @match (is_used, is_there) {
                    (true, true) => span.badge.good { "used" },
                    (true, false) => span.badge.bad { "needed, and missing" },
                    (false, true) => span.badge { "installed" },
                    (false, false) => {},
                }
            }
            p.figures {
                (listed.model.kind.words()) ", " (size(listed.model.size)) ", " (listed.model.licence)
                @if let Some(state) = state(listed.state) { ", " (state) }
            }
            p.hint { (listed.model.about) }
            @if let Some(Ok(facts)) = store.facts_of(listed.model) {
                p.hint { (said_of(&facts)) @if let Some(speed) = page.device.administration.speed(&listed.path) { ", " (speed) } }
            }
        }
        @if !is_there { (fetch_button(name, session)) }
    }
}

/// What the file of a language model says of it.
fn said_of(facts: &GgufFacts) -> String {
    let billions = facts.parameters as f64 / 1e9;
    let window = facts
        .context_length
        .map(|length| format!(", window of {length} tokens"));
    format!(
        "{}, {billions:.2} billion weights, {}{}",
        facts.architecture,
        facts.quantisation.unwrap_or("of unknown precision"),
        window.unwrap_or_default()
    )
}

/// Says what is there of it, where that is neither all nor nothing.
fn state(state: loquat_models::State) -> Option<String> {
    match state {
        loquat_models::State::Absent | loquat_models::State::Complete => None,
        loquat_models::State::Partial { bytes } => Some(format!("{} are there", size(bytes))),
        loquat_models::State::WrongSize { bytes } => {
            Some(format!("broken: {} long; fetch it again", size(bytes)))
        }
    }
}

fn size(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        megabytes @ ..1000.0 => format!("{megabytes:.0} MB"),
        megabytes => format!("{:.1} GB", megabytes / 1000.0),
    }
}

/// Begins to fetch one.
pub(super) async fn fetch(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let store = page.device.administration.store();
    let name = sent.get("name").unwrap_or_default().to_owned();
    // A file of this machine is for those who sit at it.
    if let Err(unknown) = store.knows(&name) {
        return answered(&session, "/models", Err(format!("I failed to {unknown}.")));
    }
    let begun = page.begin_fetch(store, &name);
    answered(&session, "/models", begun.map(|()| None))
}

/// Begins to fetch all that is used here and is not there.
pub(super) async fn fetch_needed(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Response {
    let store = page.device.administration.store();
    let missing: Vec<String> = missing(&page, &store);
    let mut begun = Ok(());
    for name in missing {
        begun = begun.and(page.begin_fetch(store.clone(), &name));
    }
    answered(&session, "/models", begun.map(|()| None))
}

/// Names what is used here and is not there whole.
fn missing(page: &PageState, store: &Store) -> Vec<String> {
    let listed = store.list();
    let missing = listed
        .iter()
        .filter(|listed| uses(page, listed) && !matches!(listed.state, loquat_models::State::Complete));
    missing.map(|listed| listed.model.name.clone()).collect()
}

impl PageState {
    /// Begins to fetch a model, where that is not under way.
    fn begin_fetch(self: &Arc<Self>, store: Store, model: &str) -> Result<(), String> {
        let cancel = self.fetches.begin(model);
        let cancel = cancel.ok_or_else(|| format!("{model} is being fetched already."))?;
        let (own, name) = (Arc::clone(self), model.to_owned());
        let begun = self
            .work
            .begin(|ending| async move { own.fetch(&store, &name, cancel, ending).await });
        if let Err(busy) = begun {
            self.fetches.end(model, Stand::Failed(busy.to_string()));
        }
        self.tell(Change::Fetch);
        Ok(())
    }

    async fn fetch(
        self: &Arc<Self>,
        store: &Store,
        model: &str,
        cancel: CancellationToken,
        ending: CancellationToken,
    ) {
        let told = Told(Arc::clone(self), model.to_owned());
        let fetching = store.fetch(model, &told, cancel.clone());
        tokio::pin!(fetching);
        let fetched = tokio::select! {
            fetched = &mut fetching => fetched,
            () = ending.cancelled() => {
                cancel.cancel();
                fetching.await
            }
        };
        let stand = match fetched {
            Ok(_) => Stand::Done,
            Err(error) => Stand::Failed(format!("failed to {}", with_causes(&error))),
        };
        self.fetches.end(model, stand);
        self.tell(Change::Fetch);
        // Also where it failed: a part may be there.
        self.tell(Change::Models);
    }
}

/// Calls a download off; what has arrived is kept.
pub(super) async fn stop(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let name = sent.get("name").unwrap_or_default();
    let running = page.fetches.all().get(name).map(|fetch| fetch.cancel.clone());
    let done = match running {
        Some(cancel) => {
            cancel.cancel();
            Ok(Some("It is called off.".to_owned()))
        }
        None => Err("It is not being fetched.".to_owned()),
    };
    answered(&session, "/models", done)
}

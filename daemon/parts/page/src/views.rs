//! The views, and what their forms have done: what a person sees with a browser. Decides nothing that the desk or the gate
//! decides.

mod check;
mod conversation;
mod hearing;
mod icons;
mod lists;
mod live;
mod log;
mod memory;
mod models;
mod personas;
mod piece;
mod routines;
mod search;
mod settings;
mod setup;
pub(super) mod shell;
mod sound;
mod timers;
mod tools;
mod turns;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::page_state::PageState;

/// Says which path leads to which view.
pub(super) fn routes() -> Router<Arc<PageState>> {
    Router::new()
        .route("/", get(conversation::view))
        .route("/ask", post(conversation::ask))
        .route("/listen", post(conversation::listen))
        .route("/stop", post(conversation::stop))
        .route("/turns", get(turns::view))
        .route("/turns/{id}", get(turns::one))
        .route("/turns/{id}/prompts/{step}", get(turns::prompt))
        .route("/tools", get(tools::view))
        .route("/tools/{toolbox}/{tool}", get(tools::one).post(tools::call))
        .route("/answer", post(tools::consent::answer))
        .route("/timers", get(timers::view))
        .route("/timers/set", post(timers::set))
        .route("/timers/pause", post(timers::pause))
        .route("/timers/remove", post(timers::remove))
        .route("/routines", get(routines::view))
        .route("/routines/set", post(routines::set))
        .route("/routines/remove", post(routines::remove))
        .route("/lists", get(lists::view))
        .route("/lists/add", post(lists::put))
        .route("/lists/new", post(lists::begin))
        .route("/lists/change", post(lists::change))
        .route("/lists/remove", post(lists::remove))
        .route("/memory", get(memory::view))
        .route("/memory/add", post(memory::add))
        .route("/memory/change", post(memory::change))
        .route("/memory/forget", post(memory::forget))
        .route("/personas", get(personas::view))
        .route("/personas/use", post(personas::choose))
        .route("/personas/edit", get(personas::edit).post(personas::keep))
        .route("/personas/delete", post(personas::delete))
        .route("/settings", get(settings::view).post(settings::change))
        .route("/settings/network", post(settings::change_network))
        .route("/settings/towns", post(settings::look_up))
        .route("/setup", get(setup::view))
        .route("/setup/done", post(setup::done))
        .route("/conversation/forget", post(settings::forget))
        .route("/conversation/persona", post(conversation::choose))
        .route("/conversation/new", post(conversation::begin_anew))
        .route("/conversation/go-on", post(conversation::take_back))
        .route("/search", get(search::view))
        .route("/reload", post(personas::reload))
        .route("/restart", post(settings::restart))
        .route("/models", get(models::view))
        .route("/models/fetch", post(models::fetch))
        .route("/models/fetch-needed", post(models::fetch_needed))
        .route("/models/stop", post(models::stop))
        .route("/sound", get(sound::view))
        .route("/say", post(sound::say))
        .route("/check", get(check::view))
        .route("/log", get(log::view))
        .route("/live/{view}", get(live::live))
        .route("/reveal", post(shell::reveal))
        .route("/assets/page.css", get(shell::style))
        .route("/assets/page.js", get(shell::script))
        .route("/assets/icon.svg", get(shell::sign))
}

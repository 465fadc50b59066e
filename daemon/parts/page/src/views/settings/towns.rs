//! The towns that a name may mean, of which a person chooses the one where the device stands. Asks once a person has pressed the
//! button for it.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use loquat_agent::printable::printable;
use maud::html;

use super::super::shell::{View, csrf, shell};
use super::back_of;
use crate::answer::answered;
use crate::device::{EasySetting, Town};
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// Those that are offered.
const MOST: usize = 8;

/// Looks a town up.
pub(in super::super) async fn look_up(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let back = back_of(&sent);
    let name = sent.get("town").unwrap_or_default().trim().to_owned();
    if name.is_empty() {
        return answered(&session, back, Err("Write the name of a town.".to_owned()));
    }
    match page.device.administration.towns(name.clone()).await {
        Err(why) => {
            let told = format!("{why}. The coordinates can be written without it.");
            answered(&session, back, Err(told))
        }
        Ok(towns) if towns.is_empty() => {
            let told = format!("No place called “{}” is known.", printable(&name));
            answered(&session, back, Err(told))
        }
        Ok(towns) => choose(&page, &session, back, &towns),
    }
}

fn choose(page: &PageState, session: &Session, back: &str, towns: &[Town]) -> Response {
    let key = |what| page.device.administration.key(what);
    let content = html! {
        ul.rows {
            @for town in towns.iter().take(MOST) {
                li {
                    div {
                        p.what { strong { (printable(&town.name)) } }
                        p.figures { (printable(&town.lies_in)) }
                    }
                    form method="post" action="/settings" {
                        (csrf(session))
                        input type="hidden" name="back" value=(back);
                        input type="hidden" name=(key(EasySetting::Place)) value=(town.name);
                        input type="hidden" name=(key(EasySetting::Latitude)) value=(town.latitude);
                        input type="hidden" name=(key(EasySetting::Longitude)) value=(town.longitude);
                        @if let Some(zone) = &town.time_zone {
                            input type="hidden" name=(key(EasySetting::TimeZone)) value=(zone);
                        }
                        button aria-label={"It is " (town.name) ", " (town.lies_in)} { "It is this one" }
                    }
                }
            }
        }
        p { a href=(back) { "None of these" } }
    };
    let view = View {
        path: "/settings/towns",
        title: "Which of these is it?",
        live: None,
        content,
    };
    shell(page, session, &view).into_response()
}

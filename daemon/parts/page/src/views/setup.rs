//! The first view: what Loquat cannot know by itself, as `loquat setup` asks for it, until that was done or left. Each answer is
//! written when it is given.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use maud::{Markup, html};

use super::settings::fields::{Fields, home, language, persona, place, units, voice, wake_word};
use super::shell::{View, button, csrf, shell};
use super::{hearing, sound};
use crate::answer::answered;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

pub(super) const PATH: &str = "/setup";

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let administration = Arc::clone(&page.device.administration);
    let read = tokio::task::spawn_blocking(move || administration.settings());
    let Ok(current) = read.await else {
        return shell(
            &page,
            &session,
            &framed(html! { p.fault { "The settings could not be read; see the log." } }),
        );
    };
    let fields = Fields {
        session: &session,
        current: &current,
        administration: &*page.device.administration,
        back: PATH,
    };
    let content = html! {
        p.lead {
            "What Loquat cannot know by itself. Every answer may be left out, each is saved with its own button, and all of it can be "
            "changed under Settings."
        }
        ol.steps-of-setup {
            li { (language(&fields)) }
            li { (place(&fields)) }
            li { (units(&fields)) }
            li {
                section.card aria-labelledby="microphone" {
                    h2 #microphone { "Microphone" }
                    (sound::device(&page))
                    (hearing::meter(&page))
                }
            }
            li {
                section.card aria-labelledby="speaker" {
                    h2 #speaker { "Loudspeaker" }
                    (sound::loudspeaker(&page).await)
                    (sound::speaking(&session, PATH))
                }
            }
            li { (wake_word(&fields)) }
            li { (voice(&fields)) }
            li { (persona(&fields)) }
            li { (home(&fields)) }
        }
        form.row.done method="post" action="/setup/done" {
            (csrf(&session))
            button.primary { "Done" }
            button name="left" value="1" { "Leave it as it is" }
        }
    };
    shell(&page, &session, &framed(content))
}

fn framed(content: Markup) -> View<'static> {
    View {
        path: PATH,
        title: "Set up this device",
        live: Some("/live/sound".to_owned()),
        content,
    }
}

/// Offers it on the first view of the page, where it was neither done nor left.
pub(super) async fn offered(page: &PageState, session: &Session) -> Markup {
    if !page.first_visit.is_due().await {
        return html! {};
    }
    html! {
        section.card.choice aria-labelledby="setup" {
            div {
                h2 id="setup" { "This device is not set up yet" }
                p { "It does not know its place, which the weather and the sun need, and guesses language and units." }
            }
            div.row {
                a.button.primary href=(PATH) { "Set it up" }
                (button(session, "/setup/done", &[("left", "1")], &html! { button { "Leave it as it is" } }))
            }
        }
    }
}

/// The owner is done with it.
pub(super) async fn done(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    page.first_visit.is_done();
    let told = match sent.get("left") {
        None => "The device is set up. All of it can be changed under Settings.",
        Some(_) => "It is left as it is. All of it can be set under Settings.",
    };
    answered(&session, "/", Ok(Some(told.to_owned())))
}

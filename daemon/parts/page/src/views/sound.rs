//! Whether the device hears and speaks: the level of the microphone, what was heard last, the loudspeaker, and a sentence to be
//! spoken.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_failure::with_causes;
use loquat_part::{EarNews, Finding, Verdict};
use maud::{Markup, html};

use super::hearing;
use super::icons::{Icon, icon};
use super::piece::Piece;
use super::shell::{View, csrf, shell};
use crate::answer::answered;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;
use crate::veil::Veil;

/// What is said unless a person writes something else.
const SENTENCE: &str = "This is how I sound.";

/// Makes a piece of what the microphone heard last.
pub(super) fn heard(page: &PageState, veil: Veil) -> Piece {
    let html = html! {
        p id="heard" role="status" {
            @match page.conversation.heard().as_deref() {
                None => "Nothing was heard yet.",
                Some("") => "It heard something, and no words in it.",
                Some(words) => { "It heard: " (veil.words(words)) }
            }
        }
    };
    Piece::over("heard", html)
}

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = html! {
        section.card aria-labelledby="microphone" {
            h2 #microphone { "Microphone" }
            (device(&page))
            (hearing::doing(&page).html)
            (hearing::meter(&page))
            (hearing::half_heard(&page, veil).html)
            (heard(&page, veil).html)
            (hearing::listen(&page, &session, "/sound").html)
            p.hint { "Press the button and say something. What it understands is answered as always." }
        }
        section.card aria-labelledby="speaker" {
            h2 #speaker { "Loudspeaker" }
            (loudspeaker(&page).await)
            (speaking(&session, "/sound"))
        }
    };
    let view = View {
        path: "/sound",
        title: "Sound",
        live: Some("/live/sound".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// Says by what the device hears, or why it does not.
pub(super) fn device(page: &PageState) -> Markup {
    html! {
        @match &*page.device.hearing.news.borrow() {
            EarNews::Unknown => p { "The microphone is being opened." },
            EarNews::Hears { device, wake_word } => p {
                "It hears through " strong { (printable(device)) }
                @if let Some(word) = wake_word { ", and listens after “" (printable(&word.replace('_', " "))) "”" }
                "."
            },
            EarNews::Deaf(reason) => p.fault { "It does not hear: " (printable(reason)) },
        }
    }
}

/// Says what speaks, and whether it can be heard. Another program may speak on the bus in its place.
pub(super) async fn loudspeaker(page: &PageState) -> Markup {
    let findings = page.device.administration.sound().await;
    html! { @for finding in &findings { (told(finding)) } }
}

fn told(finding: &Finding) -> Markup {
    html! {
        @if finding.verdict == Verdict::Ok { p { (printable(&finding.detail)) } }
        @else {
            p.fault {
                (printable(&finding.part)) ": " (printable(&finding.detail))
                @if let Some(mend) = &finding.mend { "; " (printable(mend)) }
            }
        }
    }
}

/// Shows what has a sentence spoken.
pub(super) fn speaking(session: &Session, back: &str) -> Markup {
    html! {
        form method="post" action="/say" {
            (csrf(session))
            input type="hidden" name="back" value=(back);
            label for="sentence" { "To be spoken" }
            div.row {
                input #sentence name="sentence" value=(SENTENCE) maxlength="400" required autocomplete="off";
                button.primary { (icon(Icon::Sound)) "Speak" }
            }
        }
    }
}

/// Has a sentence spoken. Where nothing can be heard of it that is said as well.
pub(super) async fn say(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let back = sent.get("back").unwrap_or("/sound");
    let said = page.orders.say(sent.get("sentence").unwrap_or(SENTENCE)).await;
    if let Err(error) = said {
        return answered(&session, back, Err(with_causes(&error)));
    }
    let findings = page.device.administration.sound().await;
    let silent = findings
        .iter()
        .find(|finding| finding.verdict >= Verdict::Missing);
    let told = match silent {
        None => Ok(Some("It is being spoken.".to_owned())),
        Some(finding) => Err(format!(
            "It was sent to what speaks on this device, but nothing of it may be heard: {}",
            printable(&finding.detail)
        )),
    };
    answered(&session, back, told)
}

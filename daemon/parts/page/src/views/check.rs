//! What `loquat check` finds beside the daemon that runs, with microphone and loudspeaker, the worst first. Loads no model.

use std::sync::Arc;

use axum::extract::{Extension, State};
use loquat_agent::printable::printable;
use loquat_part::{EarNews, Finding, Verdict};
use maud::{Markup, html};

use super::shell::{View, shell};
use crate::page_state::PageState;
use crate::session::Session;

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let administration = &page.device.administration;
    let (mut findings, sound) = tokio::join!(administration.check(), administration.sound());
    findings.extend(sound);
    findings.push(microphone(&page));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    let content = html! {
        div.card { dl.settings.findings { @for finding in &findings { (row(finding)) } } }
        p.hint { "On the device itself, " code { "loquat check" } " also tries model and servers." }
        details { summary { "As the status line tells it" } div.inside { p { (printable(&page.status.borrow())) } } }
    };
    let view = View {
        path: "/check",
        title: "Check",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

/// Tells of the microphone as the daemon has it open.
fn microphone(page: &PageState) -> Finding {
    let part = "microphone";
    match &*page.device.hearing.news.borrow() {
        EarNews::Unknown => Finding::ok(part, "it is being opened"),
        EarNews::Hears { device, .. } => Finding::ok(part, format!("{device} is heard")),
        EarNews::Deaf(reason) => Finding::bad(
            part,
            Verdict::Missing,
            reason.as_str(),
            "what is typed is answered",
        ),
    }
}

/// Says in which view a finding of a part is mended.
fn view_of(part: &str) -> Option<(&'static str, &'static str)> {
    Some(match part {
        "model" | "wake word" | "sentences" => ("/models", "Models"),
        "place" | "settings" | "network" => ("/settings", "Settings"),
        "persona" | "personas" => ("/personas", "Personas"),
        "microphone" | "loudspeaker" | "voice" => ("/sound", "Sound"),
        _ => return None,
    })
}

fn row(finding: &Finding) -> Markup {
    let (class, verdict) = match finding.verdict {
        Verdict::Ok => ("good", "ok"),
        Verdict::Remark => ("busy", "remark"),
        Verdict::Missing => ("busy", "missing"),
        Verdict::Broken => ("bad", "broken"),
    };
    let view = view_of(&finding.part).filter(|_| finding.verdict != Verdict::Ok);
    html! {
        dt { (printable(&finding.part)) }
        dd {
            p { strong.badge.(class) { (verdict) } " " (printable(&finding.detail)) }
            @if let Some(mend) = &finding.mend {
                p.hint {
                    (printable(mend))
                    @if let Some((path, name)) = view { ", or see " a href=(path) { (name) } }
                }
            }
        }
    }
}

//! What `loquat check` finds beside the daemon that runs, the worst first. Loads no model and opens no microphone: how these
//! fare tells the status line.

use std::sync::Arc;

use axum::extract::{Extension, State};
use loquat_agent::printable::printable;
use loquat_part::{Finding, Verdict};
use maud::{Markup, html};

use super::shell::{View, shell, status};
use crate::page_state::PageState;
use crate::session::Session;

pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let mut findings = page.device.administration.check().await;
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    let content = html! {
        p { "Now: " (status(&page)) }
        dl.settings { @for finding in &findings { (row(finding)) } }
        p.hint { "On the device itself, " code { "loquat check" } " also tries model, microphone and servers." }
    };
    let view = View {
        path: "/check",
        title: "Check",
        live: None,
        content,
    };
    shell(&page, &session, &view)
}

fn row(finding: &Finding) -> Markup {
    let verdict = match finding.verdict {
        Verdict::Ok => "ok",
        Verdict::Remark => "remark",
        Verdict::Missing => "missing",
        Verdict::Broken => "broken",
    };
    html! {
        dt { (printable(&finding.part)) }
        dd {
            p { strong { (verdict) } " " (printable(&finding.detail)) }
            @if let Some(mend) = &finding.mend { p.hint { (printable(mend)) } }
        }
    }
}

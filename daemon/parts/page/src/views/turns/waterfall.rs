//! How a turn looks: its line in the list, its bars over time with what is in them, and what a brain was sent.

use std::time::Duration;

use jiff::Timestamp;
use loquat_agent::brain::{ChatRequest, Role};
use loquat_agent::printable::printable;
use loquat_agent::record::Reason;
use loquat_state::Turn;
use maud::{Markup, html};

use crate::clock::{day_and_time, span, time_of_day};
use crate::turns::{Bar, KeptTurn, Kind, Outcome};
use crate::veil::Veil;

/// Shows a turn's line in the list.
pub(super) fn summary(turn: &KeptTurn, veil: Veil) -> Markup {
    let (class, outcome) = outcome(turn);
    let count = |kind| turn.bars.iter().filter(|bar| bar.kind == kind).count();
    html! {
        span.what { (veil.words(&turn.utterance)) }
        span.figures {
            (time_of_day(turn.since)) " · " (span(turn.length())) " · "
            (counted(count(Kind::Brain), "brain call")) " · " (counted(count(Kind::Tool), "tool call"))
        }
        span.badge.(class) { (outcome) }
    }
}

/// Shows the line of a turn that only the journal knows.
pub(super) fn summary_of_journal(turn: &Turn, veil: Veil) -> Markup {
    let since = Timestamp::from_millisecond((turn.since * 1000.0) as i64).unwrap_or_default();
    html! {
        span.what { (veil.words(&turn.utterance)) }
        span.figures { (day_and_time(since)) }
        @if !turn.is_settled { span.badge.bad { "not answered" } }
    }
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Says how the turn stands, and in which colour.
fn outcome(turn: &KeptTurn) -> (&'static str, String) {
    let Some((reason, _)) = turn.ended else {
        return ("busy", "running".to_owned());
    };
    let class = match reason {
        Reason::DangerousTool | Reason::Noop => "good",
        // The person wanted it so.
        Reason::Stopped | Reason::BargeIn | Reason::ConfirmationDenied | Reason::EmergencyStop => "plain",
        reason if reason.is_success() => "good",
        _ => "bad",
    };
    let word = serde_json::to_value(reason).unwrap_or_default();
    (
        class,
        word.as_str()
            .unwrap_or_default()
            .replace('_', " ")
            .replace("llm", "brain"),
    )
}

/// Shows the whole turn.
pub(super) fn waterfall(turn: &KeptTurn, veil: Veil) -> Markup {
    let (class, outcome) = outcome(turn);
    let whole = turn.length().max(Duration::from_millis(1));
    html! {
        article.turn id="turn" {
            dl.facts {
                dt { "Asked" } dd { (veil.words(&turn.utterance)) }
                @if !turn.answer.is_empty() { dt { "Answered" } dd { (veil.words(&turn.answer)) } }
                dt { "Outcome" } dd { span.badge.(class) { (outcome) } }
                dt { "When" } dd {
                    (day_and_time(turn.since)) @if turn.ended.is_some() { ", took " (span(turn.length())) }
                }
                @if !turn.engine.is_empty() { dt { "Engine" } dd { code { (printable(&turn.engine)) } } }
                dt { "Conversation" } dd { (printable(&turn.session)) }
            }
            h2 { "What happened" }
            @if turn.bars.is_empty() { p.hint { "No brain and no tool was asked." } }
            ol.waterfall {
                @for (number, bar) in turn.bars.iter().enumerate() {
                    li.(colour(bar)) { (row(turn, number, bar, whole, veil)) }
                }
            }
            @if turn.left_out > 0 { p.hint { (turn.left_out) " further ones are not kept." } }
        }
    }
}

fn colour(bar: &Bar) -> &'static str {
    match (bar.outcome, bar.kind) {
        (Outcome::Failed, _) => "failed",
        (_, Kind::Brain) => "brain",
        (_, Kind::Tool) => "tool",
        (_, Kind::Person) => "asks",
        (_, Kind::Note) => "note",
    }
}

fn row(turn: &KeptTurn, number: usize, bar: &Bar, whole: Duration, veil: Veil) -> Markup {
    let share = |at: Duration| 100.0 * at.as_secs_f64() / whole.as_secs_f64();
    let to = bar.to.unwrap_or(whole);
    let (from, width) = (share(bar.from), share(to.saturating_sub(bar.from)).max(0.6));
    let took = match bar.outcome {
        Outcome::Running => "running".to_owned(),
        _ if bar.kind == Kind::Note => format!("at {}", span(bar.from)),
        Outcome::Done => span(to.saturating_sub(bar.from)),
        Outcome::Failed => format!("{}, failed", span(to.saturating_sub(bar.from))),
    };
    html! {
        details id={"bar-" (number)} {
            summary {
                span.label {
                    span.kind { (kind(bar.kind)) } " " (printable(&bar.label))
                    @if let Some(said) = &bar.said { " " (veil.words(said)) }
                }
                svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                    rect x=(format!("{:.2}", from.min(99.4))) y="0" width=(format!("{width:.2}")) height="8" rx="0.6" {}
                }
                span.took { (took) }
            }
            div.inside {
                @if let Some(figures) = &bar.figures { p.figures { (figures) } }
                @for (what, text) in &bar.texts {
                    @if !what.is_empty() { h3 { (what) } }
                    (veil.block(text))
                }
                @if bar.kind == Kind::Brain {
                    @let path = format!("/turns/{}/prompts/{}", turn.id, bar.step);
                    p data-load=(path) { a href=(path) { "What the brain was sent" } }
                }
            }
        }
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Brain => "Brain",
        Kind::Tool => "Tool",
        Kind::Person => "Person",
        Kind::Note => "Note",
    }
}

/// Shows what a brain was sent.
pub(super) fn prompt(request: &ChatRequest, veil: Veil) -> Markup {
    html! {
        @for message in &request.messages {
            @let role = role(message.role);
            h3 { (role) }
            (veil.block(&message.content))
        }
        @if !request.tools.is_empty() {
            h3 { "Tools on offer" }
            ul { @for tool in &request.tools { li { code { (printable(&tool.name)) } " " (printable(&tool.description)) } } }
        }
        @if let Some(schema) = &request.response_schema {
            h3 { "The reply has to satisfy" }
            pre tabindex="0" { (serde_json::to_string_pretty(&**schema).unwrap_or_default()) }
        }
        @if !request.stop.is_empty() {
            h3 { "The reply ends before" }
            p { code { (printable(&format!("{:?}", request.stop))) } }
        }
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "Instructions",
        Role::User => "Person or observation",
        Role::Assistant => "Brain",
        Role::Tool => "Tool",
    }
}

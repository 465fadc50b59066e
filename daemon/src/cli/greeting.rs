//! The first screen of `loquat run`: who answers, what can be tried, where the page is, and what is missing, each with the way to
//! mend it. Starts nothing.

use std::time::Duration;

use loquat_page::settings::Page;
use loquat_part::{Ground, Part as _, Verdict};
use tokio::time::timeout;

use super::{Output, Style, check};
use crate::app::App;
use crate::link::Joined;
use crate::settings::{self, Environment, Settings};

/// How long the first screen waits to know whether the device can speak.
const GLANCE: Duration = Duration::from_secs(1);

/// Says at the start who answers, in the log and to a person at the terminal.
pub(super) async fn greet(app: &App, settings: &Settings, environment: &Environment, output: Output) {
    let persona = app.mind.default_persona();
    let persona = persona.map_or_else(|| "Nobody".to_owned(), |persona| persona.name.clone());
    let address = app.place.address.url();
    let bus = match app.place.joined {
        Joined::Theirs => format!("joined the bus at {address}"),
        Joined::Ours => format!("brought a bus at {address}"),
    };
    tracing::info!(bus, persona, "loquat is up");
    for complaint in &app.complaints {
        tracing::warn!("{complaint}");
    }
    if output.is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        output.styled(Style::Bold, format!("Loquat {version}. {persona} answers."));
        output.line(format!("  It {bus}."));
        introduce(app, settings, output).await;
        tell_what_is_missing(app, settings, environment, output).await;
        output.line("Type a question and press Enter. \"help\" says more, \"exit\" ends.");
    }
}

/// Says what can be tried here, and where the page is.
async fn introduce(app: &App, settings: &Settings, output: Output) {
    if let Some(examples) = app.mind.what_can_be_said(&settings.mycroft.lang).await {
        output.line(format!("  {examples}"));
    }
    let page = settings.tables.get::<Page>();
    if page.port != 0 {
        output.line(format!(
            "  The page is at port {}: `loquat page` opens it.",
            page.port
        ));
    }
}

/// Says what is missing. What the microphone lacks is said when it is opened.
async fn tell_what_is_missing(app: &App, settings: &Settings, environment: &Environment, output: Output) {
    for complaint in &app.complaints {
        output.line(format!("  {complaint}"));
    }
    if !app.models.language.is_present() {
        let language = &app.models.language;
        let path = language.path.display();
        output.line(format!(
            "  The language model is not at {path}: {}.",
            language.mend()
        ));
    }
    let ground: Ground = settings::ground(settings, environment);
    // What takes longer is no reason to keep a person from typing; `loquat check` tells of it.
    let voice = timeout(GLANCE, loquat_voice::VoicePart.check(&ground)).await;
    let mut findings = voice.unwrap_or_default();
    findings.push(check::place(settings));
    for finding in findings
        .iter()
        .filter(|finding| finding.verdict >= Verdict::Missing)
    {
        let mend = finding
            .mend
            .as_ref()
            .map_or_else(String::new, |mend| format!(" → {mend}"));
        output.line(format!("  No {}: {}{mend}.", finding.part, finding.detail));
    }
}

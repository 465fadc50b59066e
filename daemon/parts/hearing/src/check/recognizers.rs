//! Who turns speech into text: the whisper of this device, with why it is that model, and servers elsewhere, which are sent nothing
//! that anybody said.

use loquat_part::model_speed::Choice;
use loquat_part::{Finding, Verdict};
use loquat_settings::Environment;
use loquat_transcription::recognizers::LOCAL;
use loquat_transcription::{self as transcription, Server};

use crate::models::HearingModels;
use crate::opening::ladder_of;
use crate::settings::HearingSettings;

const PART: &str = "hearing";

/// Tells whether the whisper of this device is asked at all.
pub(super) fn is_local(settings: HearingSettings<'_>) -> bool {
    settings.speech.ladder.iter().any(|rung| rung == LOCAL)
}

/// The model, with a word on what it computes with and why it was chosen.
pub(crate) fn whisper(settings: HearingSettings<'_>, models: &HearingModels) -> Option<Finding> {
    if !is_local(settings) {
        return None;
    }
    let mut finding = Finding::of_model(PART, &models.whisper);
    if finding.verdict == Verdict::Ok {
        finding.detail += " and computes with ";
        finding.detail += &loquat_speech::use_best_kernel().to_string();
        finding.detail += &why(&models.whisper_choice, settings.speech.whisper_seconds);
    }
    Some(finding)
}

fn why(choice: &Choice, bound: f64) -> String {
    match choice {
        Choice::Named | Choice::Only { .. } => String::new(),
        Choice::Largest { took, larger } => {
            let took = took.as_secs_f64();
            let own = format!(
                "; chosen as the largest that takes at most {bound} s for three seconds of speech: it takes {took:.2} s"
            );
            match larger {
                Some((name, took)) => format!("{own}, and {name} {:.2} s", took.as_secs_f64()),
                None => own,
            }
        }
        Choice::Quickest { took } => format!(
            "; chosen as the quickest, since all take longer than {bound} s for three seconds of speech: it takes {:.2} s",
            took.as_secs_f64()
        ),
        Choice::Unmeasured => {
            "; of those that are installed none was measured yet: `loquat run` does that when it starts"
                .to_owned()
        }
    }
}

/// Every server of the ladder: where it is, what goes there, and whether it answers.
pub(crate) async fn elsewhere(settings: HearingSettings<'_>, environment: &Environment) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, server) in transcription::servers(&ladder_of(settings, environment)) {
        findings.push(match server {
            Ok(server) => asked(&server, settings).await,
            Err(reason) => {
                let mend = format!(
                    "correct [speech.recognizers.{name}]; the others of speech.ladder are asked meanwhile"
                );
                Finding::bad(
                    PART,
                    Verdict::Broken,
                    format!("{name} cannot be used: {reason}"),
                    mend,
                )
            }
        });
    }
    findings
}

async fn asked(server: &Server, settings: HearingSettings<'_>) -> Finding {
    let when = match settings
        .speech
        .ladder
        .iter()
        .position(|rung| rung == server.name())
    {
        Some(0) => "what is said to this device",
        _ => "what those before it in speech.ladder cannot hear",
    };
    let way = if server.is_encrypted() {
        "encrypted"
    } else {
        "in the clear"
    };
    let sent = format!("{when} is sent to {}, {way}", server.address());
    match server.probe().await {
        Ok(plugin) => {
            let plugin = plugin.map(|plugin| format!(", which hears with {plugin}"));
            Finding::ok(
                PART,
                format!("{}: {sent}{}", server.name(), plugin.unwrap_or_default()),
            )
        }
        Err(error) => {
            let mend = format!(
                "see [speech.recognizers.{}]; it is asked after the others meanwhile",
                server.name()
            );
            Finding::bad(
                PART,
                Verdict::Missing,
                format!("{}: {sent}; {error}", server.name()),
                mend,
            )
        }
    }
}

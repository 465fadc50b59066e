//! What takes the device's own voice out of what it hears. Opens no microphone.

use loquat_part::{Finding, Verdict};
use loquat_speech::{AudioHost, server_echo};

use crate::settings::{EchoCancellation, HearingSettings, Switch};

/// Says what does, and how the sound server's own canceller is switched on where other programs speak.
pub(crate) async fn canceller(settings: HearingSettings<'_>, host: AudioHost) -> Option<Finding> {
    if settings.speech.enabled == Switch::Off {
        return None;
    }
    if settings.speech.echo_cancellation == EchoCancellation::Off {
        let mend = "set speech.echo_cancellation = \"auto\"";
        return Some(Finding::bad(
            "echo",
            Verdict::Remark,
            "it is left in what is heard",
            mend,
        ));
    }
    let found = server_echo(host).await;
    let ours = "our own voice is taken out of what is heard while we speak";
    Some(match found.map(|found| (found.source, found.switched_on_by)) {
        Some((Some(source), _)) => Finding::ok(
            "echo",
            format!("the sound server takes out what it plays ({source})"),
        ),
        Some((None, Some(line))) => Finding {
            mend: Some(format!("where an audio service of OVOS speaks: {line}")),
            ..Finding::ok("echo", ours)
        },
        _ => Finding::ok("echo", ours),
    })
}

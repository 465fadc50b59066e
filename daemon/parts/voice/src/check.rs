//! What speaks on this machine and why, and whether it can be heard: a word is really made, and the loudspeaker opened in
//! silence.

use std::time::Duration;

use loquat_part::{Finding, Ground, Verdict};
use loquat_speech::Player;
use tokio::time::timeout;

use super::choice::Choice;
use super::piper::NoPiper;
use super::playback::playback_settings;
use super::settings::Voice;
use super::speed::Speed;

/// The part that the findings are about.
const PART: &str = "voice";

/// To open a loudspeaker; a sound system that hangs is told of before.
const PATIENCE: Duration = Duration::from_secs(12);

pub(super) async fn findings(ground: &Ground) -> Vec<Finding> {
    let settings = ground.table::<Voice>();
    if !Choice::may_speak(&settings) {
        return vec![Finding::ok(PART, "off")];
    }
    let (lang, speed) = (&ground.mycroft.lang, Speed::new(settings.words_per_minute));
    let choice = Choice::of(&settings, lang, &ground.folders, &ground.environment, &speed).await;
    let mut findings: Vec<Finding> = why_not_piper(&choice).into_iter().collect();
    if choice.names().is_empty() {
        let mend = "install espeak-ng, or Piper with a voice, or set voice.command or voice.url; an audio service of OVOS speaks \
                    as well";
        findings.push(Finding::bad(
            PART,
            Verdict::Missing,
            "nothing is installed that speaks",
            mend,
        ));
        return findings;
    }
    let (speaks, faults) = choice.try_out(lang).await;
    findings.extend(faults.into_iter().map(|fault| {
        let mend = "see the table [voice] of loquat.toml; meanwhile the next one speaks";
        Finding::bad(PART, Verdict::Broken, fault, mend)
    }));
    findings
        .extend(speaks.map(|name| Finding::ok(PART, format!("{name} speaks where no audio service does"))));
    findings.push(loudspeaker(ground).await);
    findings
}

fn why_not_piper(choice: &Choice) -> Option<Finding> {
    match choice.no_piper.as_ref()? {
        NoPiper::NotInstalled => None,
        why => {
            let mend =
                "fetch a voice as the book says, or set voice.piper_voice; or set voice.piper to \"never\"";
            Some(Finding::bad(PART, Verdict::Remark, why.to_string(), mend))
        }
    }
}

/// Opened and closed again; nothing is heard.
async fn loudspeaker(ground: &Ground) -> Finding {
    let part = "loudspeaker";
    let player = Player::new(playback_settings(ground), None);
    let opened = timeout(PATIENCE, player.begin()).await;
    match opened {
        Ok(Ok(playing)) => Finding::ok(part, format!("{} takes sound", playing.device())),
        Ok(Err(error)) => Finding::bad(
            part,
            Verdict::Missing,
            error.to_string(),
            "until then read what it says at the terminal or on the page",
        ),
        Err(_) => Finding::bad(
            part,
            Verdict::Missing,
            "the sound system does not answer",
            "restart the sound server; until then read what it says at the terminal or on the page",
        ),
    }
}

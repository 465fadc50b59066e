//! The tools and the inhibitor beside a mock of logind, and what people say.

use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use loquat_kit::Skill;
use loquat_kit::wording::Wording;
use serde_json::{Map, json};
use tokio::time::Instant;

use super::{POWER_OFF, RESTART, SKILL, SUSPEND};
use crate::dbus::DeviceBus;
use crate::dbus::stage::{DEADLINE, Make, Stage, tells_what_is_missing};
use loquat_trial::{heard, languages_are_whole};

const MAKE: Make = (&SKILL, super::toolbox);

const NAME: &str = "org.freedesktop.login1";

#[tokio::test]
async fn the_device_goes_and_says_for_how_long() {
    let mut stage = Stage::new().await;
    stage.mock("logind", NAME, &json!({})).await;
    for (tool, call, away, word) in [
        (
            SUSPEND,
            "Suspend False",
            "until it is woken",
            "until somebody wakes",
        ),
        (RESTART, "Reboot False", "about a minute", "in about a minute"),
        (
            POWER_OFF,
            "PowerOff False",
            "until it is switched on",
            "until somebody switches it on",
        ),
    ] {
        assert!(!stage.asked().contains(call));
        let outcome = stage.tool(MAKE, tool, json!({})).await;
        assert_eq!(outcome.result["done"], true);
        assert_eq!(outcome.result["away"], away);
        assert!(outcome.spoken.expect("a sentence").contains(word));
        assert!(stage.asked().contains(call), "{}", stage.asked());
    }
}

#[test]
fn each_is_asked_about_in_its_own_words_in_six_languages() {
    let wording = Wording::new(Arc::new(Skill::locales([&SKILL])));
    let toolbox = super::toolbox(&DeviceBus::of_system(None), &wording);
    let asked = |tool: &str, lang: &str| toolbox.question(tool, &Map::new(), lang);
    for tool in [SUSPEND, RESTART, POWER_OFF] {
        for lang in ["en", "de", "fr", "es", "it", "pt"] {
            assert!(
                asked(tool, lang).is_some_and(|words| words.ends_with('?')),
                "{lang}"
            );
        }
    }
    let english = asked(POWER_OFF, "en-US");
    assert_eq!(english.as_deref(), Some("Shall I switch this device off?"));
    assert_eq!(asked("another_tool", "en-US"), None);
}

#[tokio::test]
async fn what_logind_forbids_is_not_tried() {
    for (answer, told) in [
        (
            "no",
            "I may not do that on this device: its system does not allow it.",
        ),
        (
            "challenge",
            "I may not do that on this device: its system does not allow it.",
        ),
        ("na", "This device cannot do that."),
        (
            "a thing from the future that is long",
            "I may not do that on this device: its system does not allow it.",
        ),
    ] {
        let mut stage = Stage::new().await;
        let all = json!({"CanSuspend": answer, "CanReboot": answer, "CanPowerOff": answer});
        stage.mock("logind", NAME, &all).await;
        for (tool, question) in [
            (SUSPEND, "CanSuspend"),
            (RESTART, "CanReboot"),
            (POWER_OFF, "CanPowerOff"),
        ] {
            let outcome = stage.tool(MAKE, tool, json!({})).await;
            assert_eq!(outcome.result["done"], false);
            let problem = outcome.result["problem"].as_str().expect("a problem");
            assert!(
                problem.starts_with(&format!("{question} of logind says ")),
                "{problem}"
            );
            assert_eq!(outcome.spoken.as_deref(), Some(told));
        }
        for call in ["Suspend False", "Reboot False", "PowerOff False"] {
            assert!(!stage.asked().contains(call), "{}", stage.asked());
        }
    }
}

#[tokio::test]
async fn what_is_missing_is_named_with_the_mend() {
    let all = [SUSPEND, RESTART, POWER_OFF];
    let calls = all.map(|tool| (tool, json!({})));
    tells_what_is_missing(MAKE, &calls, &all).await;
}

type Inhibitors = Vec<(String, String, String, String, u32, u32)>;

async fn inhibitors(stage: &Stage) -> Inhibitors {
    let list = [
        NAME,
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
        "ListInhibitors",
    ];
    let reply = stage.call(list, &()).await;
    reply.body().deserialize().expect("inhibitors")
}

#[tokio::test]
async fn rest_is_put_off_while_it_is_held() {
    let mut stage = Stage::new().await;
    let early = super::Inhibitor::new(Some(stage.address()));
    early.hold().await;
    stage.mock("logind", NAME, &json!({})).await;
    assert!(inhibitors(&stage).await.is_empty(), "there was no logind");
    early.hold().await;
    early.hold().await;
    let held = inhibitors(&stage).await;
    assert_eq!(held.len(), 1, "{held:?}");
    let (what, who, _, mode, ..) = &held[0];
    assert_eq!([what, who, mode], ["sleep:shutdown", "Loquat", "delay"]);
    early.release().await;
    let deadline = Instant::now() + DEADLINE;
    while !inhibitors(&stage).await.is_empty() {
        assert!(Instant::now() < deadline, "it is held still");
        tokio::task::yield_now().await;
    }
    early.hold().await;
    assert_eq!(inhibitors(&stage).await.len(), 1);
}

#[test]
fn sentences_are_understood_in_six_languages() {
    languages_are_whole(&SKILL);
    for (lang, said) in [
        (
            "en-us",
            [
                ("Suspend the device.", SUSPEND),
                ("Restart the device.", RESTART),
                ("Reboot.", RESTART),
                ("Shut down.", POWER_OFF),
                ("Turn the device off.", POWER_OFF),
            ],
        ),
        (
            "de-de",
            [
                ("Versetz das Gerät in den Ruhezustand.", SUSPEND),
                ("Starte das Gerät neu.", RESTART),
                ("Neustart.", RESTART),
                ("Fahr herunter.", POWER_OFF),
                ("Schalte das Gerät aus.", POWER_OFF),
            ],
        ),
        (
            "fr-fr",
            [
                ("Mets l'appareil en veille.", SUSPEND),
                ("Redémarre l'appareil.", RESTART),
                ("Redémarre.", RESTART),
                ("Éteins-toi.", POWER_OFF),
                ("Éteins l'appareil.", POWER_OFF),
            ],
        ),
        (
            "es-es",
            [
                ("Suspende el dispositivo.", SUSPEND),
                ("Reinicia el dispositivo.", RESTART),
                ("Reinicia.", RESTART),
                ("Apágate.", POWER_OFF),
                ("Apaga el dispositivo.", POWER_OFF),
            ],
        ),
        (
            "pt-pt",
            [
                ("Suspende o dispositivo.", SUSPEND),
                ("Reinicia o dispositivo.", RESTART),
                ("Reinicia.", RESTART),
                ("Desliga-te.", POWER_OFF),
                ("Desliga o dispositivo.", POWER_OFF),
            ],
        ),
        (
            "it-it",
            [
                ("Sospendi il dispositivo.", SUSPEND),
                ("Riavvia il dispositivo.", RESTART),
                ("Riavvia.", RESTART),
                ("Spegniti.", POWER_OFF),
                ("Spegni il dispositivo.", POWER_OFF),
            ],
        ),
    ] {
        for (text, tool) in said {
            let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(call.tool, tool, "{text}");
        }
    }
    for (lang, text) in [
        ("en-us", "Restart the song."),
        ("en-us", "Turn off the light."),
        ("en-us", "Go to sleep."),
        ("de-de", "Mach das Licht aus."),
        ("de-de", "Starte den Timer neu."),
        ("fr-fr", "Éteins la lumière."),
        ("es-es", "Apaga la luz."),
        ("pt-pt", "Desliga a luz."),
        ("it-it", "Spegni la luce."),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(call.is_none_or(|call| call.toolbox_id != super::ID), "{text}");
    }
}

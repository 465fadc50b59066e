//! The tools beside a mock of `BlueZ`, and what people say.

use serde_json::{Value, json};

use super::{CONNECT, DISCONNECT, LIST, SKILL};
use crate::dbus::stage::{Make, Stage, run, tells_what_is_missing, toolbox_on};
use loquat_trial::{heard, languages_are_whole};

const MAKE: Make = (&SKILL, super::toolbox);

const NAME: &str = "org.bluez";
const SPEAKER: &str = "AA:BB:CC:DD:EE:01";

async fn ask<B>(stage: &Stage, method: &str, body: &B)
where
    B: serde::Serialize + zbus::DynamicType,
{
    stage.call([NAME, "/", "org.bluez.Mock", method], body).await;
}

async fn device(paired: &[(&str, &str)], strange: &[(&str, &str)]) -> Stage {
    let mut stage = Stage::new().await;
    stage.mock("bluez5", NAME, &json!({})).await;
    ask(&stage, "AddAdapter", &("hci0", "device")).await;
    for (address, name) in paired.iter().chain(strange) {
        ask(&stage, "AddDevice", &("hci0", *address, *name)).await;
    }
    for (address, _) in paired {
        ask(&stage, "PairDevice", &("hci0", *address, 0x0024_0414_i32)).await;
    }
    stage
}

#[tokio::test]
async fn paired_devices_are_listed_connected_and_disconnected_and_no_others() {
    let paired = [
        (SPEAKER, "Kitchen\u{1b}[2J \u{202e}Box"),
        ("AA:BB:CC:DD:EE:02", "Ears"),
    ];
    let stage = device(&paired, &[("AA:BB:CC:DD:EE:03", "Stranger")]).await;
    let listed = stage.tool(MAKE, LIST, json!({})).await;
    let expected = "Paired, but not connected by Bluetooth: Ears and Kitchen[2J Box.";
    assert_eq!(listed.spoken.as_deref(), Some(expected));
    let connected = stage.tool(MAKE, CONNECT, json!({"name": "ears"})).await;
    assert_eq!(connected.spoken.as_deref(), Some("Ears is connected."));
    ask(&stage, "ConnectDevice", &("hci0", "AA:BB:CC:DD:EE:02")).await;
    let listed = stage.tool(MAKE, LIST, json!({})).await;
    assert_eq!(
        listed.result["devices"][0],
        json!({"name": "Ears", "connected": true})
    );
    let again = stage.tool(MAKE, CONNECT, json!({"name": "Ears"})).await;
    assert_eq!(again.spoken.as_deref(), Some("Ears is already connected."));
    let off = stage.tool(MAKE, DISCONNECT, json!({"name": "Ears"})).await;
    assert_eq!(off.spoken.as_deref(), Some("Ears is not connected any more."));
    let asked = stage.asked();
    assert!(
        asked.contains(" Connect\n") && asked.contains(" Disconnect\n"),
        "{asked}"
    );
    for tool in [CONNECT, DISCONNECT] {
        let unknown = stage.tool(MAKE, tool, json!({"name": "Stranger"})).await;
        assert_eq!(unknown.result["done"], false);
        let expected = "I am paired with no Bluetooth device called Stranger.";
        assert_eq!(unknown.spoken.as_deref(), Some(expected));
        let bad = run(&toolbox_on(MAKE, &stage.bus()), tool, json!({})).await;
        assert!(bad.expect_err("no name").to_string().contains("name"));
    }
}

#[tokio::test]
async fn an_adapter_that_is_not_there_or_off_is_named() {
    let mut stage = Stage::new().await;
    stage.mock("bluez5", NAME, &json!({})).await;
    let none = stage.spoken(MAKE, LIST, json!({})).await;
    assert_eq!(none, "This device has no Bluetooth.");
    ask(&stage, "AddAdapter", &("hci0", "device")).await;
    let set = [NAME, "/org/bluez/hci0", "org.freedesktop.DBus.Properties", "Set"];
    let off = ("org.bluez.Adapter1", "Powered", zbus::Variant::from(false));
    stage.call(set, &off).await;
    let off = stage.spoken(MAKE, LIST, json!({})).await;
    assert_eq!(off, "Bluetooth is off on this device.");
}

#[tokio::test]
async fn what_is_missing_is_named_with_the_mend() {
    let name = || json!({"name": "Ears"});
    let calls = [(LIST, json!({})), (CONNECT, name()), (DISCONNECT, name())];
    tells_what_is_missing(MAKE, &calls, &[]).await;
}

/// What is said, and the tool; the device is called Box.
const SAID: &[(&str, &str, &str)] = &[
    ("en-us", "Which Bluetooth devices are connected?", LIST),
    ("en-us", "List the Bluetooth devices.", LIST),
    ("en-us", "Connect the Bluetooth speaker Box.", CONNECT),
    ("en-us", "Connect Box by Bluetooth.", CONNECT),
    ("en-us", "Disconnect the Bluetooth device Box.", DISCONNECT),
    ("de-de", "Welche Bluetooth-Geräte sind verbunden?", LIST),
    ("de-de", "Zeig die Bluetooth-Geräte.", LIST),
    ("de-de", "Verbinde das Bluetooth-Gerät Box.", CONNECT),
    ("de-de", "Verbinde Box über Bluetooth.", CONNECT),
    ("de-de", "Trenne das Bluetooth-Gerät Box.", DISCONNECT),
    ("fr-fr", "Quels appareils Bluetooth sont connectés ?", LIST),
    ("fr-fr", "Montre les appareils Bluetooth.", LIST),
    ("fr-fr", "Connecte l'appareil Bluetooth Box.", CONNECT),
    ("fr-fr", "Connecte Box en Bluetooth.", CONNECT),
    ("fr-fr", "Déconnecte l'appareil Bluetooth Box.", DISCONNECT),
    ("es-es", "¿Qué dispositivos Bluetooth están conectados?", LIST),
    ("es-es", "Muestra los dispositivos Bluetooth.", LIST),
    ("es-es", "Conecta el dispositivo Bluetooth Box.", CONNECT),
    ("es-es", "Conecta Box por Bluetooth.", CONNECT),
    ("es-es", "Desconecta el dispositivo Bluetooth Box.", DISCONNECT),
    ("pt-pt", "Que dispositivos Bluetooth estão ligados?", LIST),
    ("pt-pt", "Mostra os dispositivos Bluetooth.", LIST),
    ("pt-pt", "Liga o dispositivo Bluetooth Box.", CONNECT),
    ("pt-pt", "Liga Box por Bluetooth.", CONNECT),
    ("pt-pt", "Desliga o dispositivo Bluetooth Box.", DISCONNECT),
    ("it-it", "Quali dispositivi Bluetooth sono connessi?", LIST),
    ("it-it", "Mostra i dispositivi Bluetooth.", LIST),
    ("it-it", "Connetti il dispositivo Bluetooth Box.", CONNECT),
    ("it-it", "Connetti Box via Bluetooth.", CONNECT),
    ("it-it", "Disconnetti il dispositivo Bluetooth Box.", DISCONNECT),
];

#[test]
fn sentences_are_understood_in_six_languages() {
    languages_are_whole(&SKILL);
    for (lang, text, tool) in SAID {
        let arguments = if *tool == LIST {
            json!({})
        } else {
            json!({"name": "Box"})
        };
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(call.tool, *tool, "{text}");
        assert_eq!(Value::from(call.arguments), arguments, "{text}");
    }
    for (lang, text) in [
        ("en-us", "What is Bluetooth?"),
        ("de-de", "Was ist Bluetooth?"),
        ("fr-fr", "C'est quoi le Bluetooth ?"),
        ("es-es", "¿Qué es Bluetooth?"),
        ("pt-pt", "O que é Bluetooth?"),
        ("it-it", "Cos'è il Bluetooth?"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(call.is_none_or(|call| call.toolbox_id != super::ID), "{text}");
    }
}

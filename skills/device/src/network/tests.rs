//! The tools beside a mock of `NetworkManager`, and what people say.

use serde_json::{Value, json};

use super::{CONNECT, GET, LIST, SKILL, WIFI};
use crate::dbus::stage::{Make, Stage, run, tells_what_is_missing, toolbox_on};
use loquat_trial::{heard, languages_are_whole};

const MAKE: Make = (&SKILL, super::toolbox);

const NAME: &str = "org.freedesktop.NetworkManager";
const MOCK: &str = "org.freedesktop.DBus.Mock";
const MANAGER: &str = "/org/freedesktop/NetworkManager";

const WIFI_DEVICE: &str = "/org/freedesktop/NetworkManager/Devices/w";

async fn ask<B>(stage: &Stage, method: &str, body: &B)
where
    B: serde::Serialize + zbus::DynamicType,
{
    stage.call([NAME, MANAGER, MOCK, method], body).await;
}

/// A device with a wifi and these networks around it, all of them known.
async fn device(networks: &[&str]) -> Stage {
    let mut stage = Stage::new().await;
    stage.mock("networkmanager", NAME, &json!({})).await;
    ask(&stage, "AddWiFiDevice", &("w", "wlan0", 100_i32)).await;
    for (number, network) in networks.iter().enumerate() {
        let (point, address) = (format!("ap{number}"), format!("00:23:F8:7E:12:0{number}"));
        let strength = 70_u8 + u8::try_from(number).expect("few");
        let body = (
            WIFI_DEVICE,
            &*point,
            *network,
            &*address,
            2_u32,
            2425_u32,
            5400_u32,
            strength,
            0x100_u32,
        );
        ask(&stage, "AddAccessPoint", &body).await;
        let profile = format!("profile{number}");
        ask(
            &stage,
            "AddWiFiConnection",
            &(WIFI_DEVICE, &*profile, *network, "wpa-psk"),
        )
        .await;
    }
    stage
}

/// The first of them is up.
async fn up(stage: &Stage) {
    let profile = "/org/freedesktop/NetworkManager/Settings/profile0";
    let point = "/org/freedesktop/NetworkManager/AccessPoint/ap0";
    let body = (&[WIFI_DEVICE][..], profile, point, "up", 2_u32);
    ask(stage, "AddActiveConnection", &body).await;
}

async fn set(stage: &Stage, name: &str, value: zbus::Variant<'_>) {
    ask(stage, "SetProperty", &(MANAGER, NAME, name, value)).await;
}

#[tokio::test]
async fn it_tells_how_the_device_is_connected() {
    let stage = device(&["Home \u{202e}\u{1b}[2J Sweet"]).await;
    assert_eq!(
        stage.spoken(MAKE, GET, json!({})).await,
        "This device is connected to no network."
    );
    up(&stage).await;
    let outcome = stage.tool(MAKE, GET, json!({})).await;
    let expected = "This device is connected to the wifi Home [2J Sweet, with a signal of 70 percent.";
    assert_eq!(outcome.spoken.as_deref(), Some(expected));
    assert_eq!(outcome.result["connected"], true);
    assert_eq!(outcome.result["internet"], true);
    let path = "/org/freedesktop/NetworkManager/IP4Config/1";
    let address = std::collections::HashMap::from([
        ("address", zbus::Variant::from("192.168.7.20")),
        ("prefix", zbus::Variant::from(24_u32)),
    ]);
    let properties = std::collections::HashMap::from([("AddressData", zbus::Variant::from(vec![address]))]);
    let methods: Vec<(&str, &str, &str, &str)> = Vec::new();
    let interface = "org.freedesktop.NetworkManager.IP4Config";
    ask(&stage, "AddObject", &(path, interface, properties, methods)).await;
    let active = "/org/freedesktop/NetworkManager/ActiveConnection/up";
    let config = zbus::Variant::from(zbus::ObjectPath::try_from(path).expect("a path"));
    let properties = std::collections::HashMap::from([("Ip4Config", config)]);
    let add = [NAME, active, MOCK, "AddProperties"];
    stage
        .call(
            add,
            &("org.freedesktop.NetworkManager.Connection.Active", properties),
        )
        .await;
    let outcome = stage.tool(MAKE, GET, json!({})).await;
    assert_eq!(outcome.result["address"], "192.168.7.20");
    set(&stage, "Connectivity", zbus::Variant::from(3_u32)).await;
    let spoken = stage.spoken(MAKE, GET, json!({})).await;
    assert!(
        spoken.ends_with("But the internet cannot be reached from there."),
        "{spoken}"
    );
}

#[tokio::test]
async fn known_networks_are_listed_and_joined_and_no_others() {
    let stage = device(&["Home", "Attic", "Garden"]).await;
    up(&stage).await;
    let listed = stage.tool(MAKE, LIST, json!({})).await;
    let expected = json!([
        {"name": "Home", "connected": true},
        {"name": "Attic", "connected": false},
        {"name": "Garden", "connected": false},
    ]);
    assert_eq!(listed.result["networks"], expected);
    assert_eq!(listed.spoken.as_deref(), Some("I know Home, Attic and Garden."));
    let joined = stage.tool(MAKE, CONNECT, json!({"name": "attic"})).await;
    assert_eq!(
        joined.spoken.as_deref(),
        Some("This device is now connected to Attic.")
    );
    let profile = "/org/freedesktop/NetworkManager/Settings/profile1";
    assert!(
        stage
            .asked()
            .contains(&format!("ActivateConnection \"{profile}\"")),
        "{}",
        stage.asked()
    );
    let again = stage.tool(MAKE, CONNECT, json!({})).await;
    assert_eq!(again.result["name"], "Home");
    let unknown = stage.tool(MAKE, CONNECT, json!({"name": "Neighbour"})).await;
    assert_eq!(unknown.result["done"], false);
    assert_eq!(
        unknown.spoken.as_deref(),
        Some("I know no network called Neighbour.")
    );
}

#[tokio::test]
async fn without_networks_there_is_nothing_to_join() {
    let stage = device(&[]).await;
    assert_eq!(
        stage.spoken(MAKE, LIST, json!({})).await,
        "I know no network yet."
    );
    let nothing = stage.tool(MAKE, CONNECT, json!({})).await;
    let problem = nothing.result["problem"].as_str().expect("a problem");
    assert!(problem.contains("nmcli"), "{problem}");
}

#[tokio::test]
async fn the_wifi_is_switched() {
    let stage = device(&["Home"]).await;
    let off = stage.tool(MAKE, WIFI, json!({"state": "off"})).await;
    assert_eq!(off.spoken.as_deref(), Some("The wifi is off."));
    let state = stage.tool(MAKE, GET, json!({})).await;
    assert_eq!(state.result["wifi_on"], false);
    let on = stage.tool(MAKE, WIFI, json!({"state": "on"})).await;
    assert_eq!(on.result["done"], true);
    set(&stage, "WirelessHardwareEnabled", zbus::Variant::from(false)).await;
    let blocked = stage.tool(MAKE, WIFI, json!({"state": "on"})).await;
    assert_eq!(
        blocked.spoken.as_deref(),
        Some("A switch of this device keeps the wifi off.")
    );
    let bad = run(&toolbox_on(MAKE, &stage.bus()), WIFI, json!({"state": "loud"})).await;
    assert!(bad.expect_err("no state").to_string().contains("state:"));
}

#[tokio::test]
async fn what_is_missing_is_named_with_the_mend() {
    let calls = [
        (GET, json!({})),
        (LIST, json!({})),
        (CONNECT, json!({"name": "Home"})),
        (WIFI, json!({"state": "on"})),
    ];
    tells_what_is_missing(MAKE, &calls, &[CONNECT, WIFI]).await;
}

#[test]
fn sentences_are_understood_in_six_languages() {
    languages_are_whole(&SKILL);
    let home = || json!({"name": "Home"});
    let switch = |state: &str| json!({"state": state});
    let said: &[(&str, &str, &str, Value)] = &[
        ("en-us", "Are you online?", GET, json!({})),
        ("en-us", "What is your IP address?", GET, json!({})),
        ("en-us", "Which networks do you know?", LIST, json!({})),
        ("en-us", "Connect to the network Home.", CONNECT, home()),
        ("en-us", "Reconnect to the wifi.", CONNECT, json!({})),
        ("en-us", "Turn off the wifi.", WIFI, switch("off")),
        ("de-de", "Bist du online?", GET, json!({})),
        ("de-de", "Wie ist deine IP-Adresse?", GET, json!({})),
        ("de-de", "Welche Netzwerke kennst du?", LIST, json!({})),
        ("de-de", "Verbinde dich mit dem Netzwerk Home.", CONNECT, home()),
        ("de-de", "Verbinde dich neu mit dem WLAN.", CONNECT, json!({})),
        ("de-de", "Schalte das WLAN aus.", WIFI, switch("off")),
        ("fr-fr", "Es-tu connecté à internet ?", GET, json!({})),
        ("fr-fr", "Quelle est ton adresse IP ?", GET, json!({})),
        ("fr-fr", "Quels réseaux connais-tu ?", LIST, json!({})),
        ("fr-fr", "Connecte-toi au réseau Home.", CONNECT, home()),
        ("fr-fr", "Reconnecte-toi au wifi.", CONNECT, json!({})),
        ("fr-fr", "Coupe le wifi.", WIFI, switch("off")),
        ("es-es", "¿Estás conectado a internet?", GET, json!({})),
        ("es-es", "¿Cuál es tu dirección IP?", GET, json!({})),
        ("es-es", "¿Qué redes conoces?", LIST, json!({})),
        ("es-es", "Conéctate a la red Home.", CONNECT, home()),
        ("es-es", "Vuelve a conectarte a la red.", CONNECT, json!({})),
        ("es-es", "Apaga el wifi.", WIFI, switch("off")),
        ("pt-pt", "Estás ligado à internet?", GET, json!({})),
        ("pt-pt", "Qual é o teu endereço IP?", GET, json!({})),
        ("pt-pt", "Que redes conheces?", LIST, json!({})),
        ("pt-pt", "Liga-te à rede Home.", CONNECT, home()),
        ("pt-pt", "Religa-te à rede.", CONNECT, json!({})),
        ("pt-pt", "Desliga o wifi.", WIFI, switch("off")),
        ("it-it", "Sei connesso a internet?", GET, json!({})),
        ("it-it", "Qual è il tuo indirizzo IP?", GET, json!({})),
        ("it-it", "Quali reti conosci?", LIST, json!({})),
        ("it-it", "Connettiti alla rete Home.", CONNECT, home()),
        ("it-it", "Riconnettiti al wifi.", CONNECT, json!({})),
        ("it-it", "Spegni il wifi.", WIFI, switch("off")),
    ];
    for (lang, text, tool, arguments) in said {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(call.tool, *tool, "{text}");
        assert_eq!(Value::from(call.arguments), *arguments, "{text}");
    }
    for (lang, text) in [
        ("en-us", "What is an IP address?"),
        ("en-us", "Connect me to my mother."),
        ("de-de", "Was ist ein Netzwerk?"),
        ("fr-fr", "C'est quoi un réseau ?"),
        ("es-es", "¿Qué es una red?"),
        ("pt-pt", "O que é uma rede?"),
        ("it-it", "Cos'è una rete?"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(call.is_none_or(|call| call.toolbox_id != super::ID), "{text}");
    }
}

//! The tools beside a mock of systemd's manager, and what people say.

use loquat_agent::toolbox::{Confirm, Outcome, Toolbox};
use serde_json::{Value, json};

use super::{AllowedServices, CONTROL, LIST, SKILL};
use crate::dbus::DeviceBus;
use crate::dbus::stage::{Stage, run, wording};
use loquat_trial::{heard, languages_are_whole};

const NAME: &str = "org.freedesktop.systemd1";
const MANAGER: &str = "/org/freedesktop/systemd1";
const MOCK: &str = "org.freedesktop.DBus.Mock";

fn allowed(names: &[&str]) -> AllowedServices {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    AllowedServices::try_from(names).expect("services")
}

async fn tool(stage: &Stage, tool: &str, arguments: Value) -> Outcome {
    let allowed = allowed(&["ovos-audio.service", "radio.service"]);
    let toolbox = super::toolbox(&stage.bus(), &allowed, &wording(&SKILL));
    run(&toolbox, tool, arguments).await.expect("an outcome")
}

async fn stage() -> Stage {
    let mut stage = Stage::new().await;
    stage.mock("systemd", NAME, &json!({})).await;
    for unit in ["ovos-audio.service", "radio.service", "ssh.service"] {
        stage.call([NAME, MANAGER, MOCK, "AddMockUnit"], &unit).await;
    }
    stage
}

#[tokio::test]
async fn allowed_services_are_started_and_stopped_and_no_others() {
    let stage = stage().await;
    let before = tool(&stage, LIST, json!({})).await;
    assert_eq!(
        before.result["services"],
        json!([{"name": "ovos-audio.service", "state": "stopped"}, {"name": "radio.service", "state": "stopped"}])
    );
    assert_eq!(
        before.spoken.as_deref(),
        Some("None of the services runs: ovos audio and radio.")
    );
    let started = tool(
        &stage,
        CONTROL,
        json!({"action": "start", "service": "ovos audio"}),
    )
    .await;
    assert_eq!(started.spoken.as_deref(), Some("The service ovos audio runs."));
    let after = tool(&stage, LIST, json!({})).await;
    let expected = "Running: ovos audio. Not running: radio.";
    assert_eq!(after.spoken.as_deref(), Some(expected));
    let stopped = tool(
        &stage,
        CONTROL,
        json!({"action": "stop", "service": "ovos-audio.service"}),
    )
    .await;
    assert_eq!(stopped.result["state"], "stopped");
    let refused = tool(&stage, CONTROL, json!({"action": "stop", "service": "ssh"})).await;
    assert_eq!(refused.result["done"], false);
    let problem = refused.result["problem"].as_str().expect("a problem");
    assert!(problem.contains("services.allowed"), "{problem}");
    assert!(
        !stage.asked().contains("ssh.service\" \"replace"),
        "{}",
        stage.asked()
    );
}

#[tokio::test]
async fn a_restart_is_judged_by_what_came_of_it() {
    let stage = stage().await;
    let manager = "org.freedesktop.systemd1.Manager";
    let add = [NAME, MANAGER, MOCK, "AddMethod"];
    stage
        .call(
            add,
            &(
                manager,
                "RestartUnit",
                "ss",
                "o",
                "ret = \"/org/freedesktop/systemd1/Job/1\"",
            ),
        )
        .await;
    let restarted = tool(&stage, CONTROL, json!({"action": "restart", "service": "radio"})).await;
    let problem = restarted.result["problem"]
        .as_str()
        .expect("the mock starts nothing");
    assert!(
        problem.contains("radio.service is stopped; see `systemctl status"),
        "{problem}"
    );
    tool(&stage, CONTROL, json!({"action": "start", "service": "radio"})).await;
    let restarted = tool(&stage, CONTROL, json!({"action": "restart", "service": "radio"})).await;
    assert_eq!(
        restarted.spoken.as_deref(),
        Some("The service radio was restarted.")
    );
}

#[tokio::test]
async fn what_is_missing_is_named_and_nothing_is_offered_without_the_setting() {
    let stage = Stage::new().await;
    for (name, arguments) in [
        (LIST, json!({})),
        (CONTROL, json!({"action": "start", "service": "radio"})),
    ] {
        let outcome = tool(&stage, name, arguments).await;
        let problem = outcome.result["problem"].as_str().expect("a problem");
        assert!(problem.contains("failed to reach systemd"), "{problem}");
        outcome.spoken.expect("a sentence");
    }
    let nowhere = DeviceBus::of_system(None);
    let toolbox = super::toolbox(&nowhere, &AllowedServices::default(), &wording(&SKILL));
    assert!(toolbox.tools().is_empty());
    let toolbox = super::toolbox(&nowhere, &allowed(&["radio.service"]), &wording(&SKILL));
    let tools = toolbox.tools();
    let asking = tools.iter().filter(|tool| tool.confirm == Confirm::Ask);
    assert_eq!(
        asking.map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
        [CONTROL]
    );
    let bad = json!({"action": "destroy", "service": "radio"});
    let refused = run(&toolbox, CONTROL, bad).await.expect_err("no action");
    assert!(refused.to_string().contains("action:"), "{refused}");
}

#[test]
fn sentences_are_understood_in_six_languages() {
    languages_are_whole(&SKILL);
    let does = |action: &str| json!({"action": action, "service": "radio"});
    let said: &[(&str, &str, &str, Value)] = &[
        ("en-us", "Which services are running?", LIST, json!({})),
        ("en-us", "List the services.", LIST, json!({})),
        ("en-us", "Start the service radio.", CONTROL, does("start")),
        ("en-us", "Stop the radio service.", CONTROL, does("stop")),
        ("en-us", "Restart the service radio.", CONTROL, does("restart")),
        ("de-de", "Welche Dienste laufen?", LIST, json!({})),
        ("de-de", "Zeig die Dienste.", LIST, json!({})),
        ("de-de", "Starte den Dienst radio.", CONTROL, does("start")),
        ("de-de", "Stoppe den Dienst radio.", CONTROL, does("stop")),
        ("de-de", "Starte den Dienst radio neu.", CONTROL, does("restart")),
        ("fr-fr", "Quels services tournent ?", LIST, json!({})),
        ("fr-fr", "Montre les services.", LIST, json!({})),
        ("fr-fr", "Démarre le service radio.", CONTROL, does("start")),
        ("fr-fr", "Arrête le service radio.", CONTROL, does("stop")),
        ("fr-fr", "Redémarre le service radio.", CONTROL, does("restart")),
        ("es-es", "¿Qué servicios están en marcha?", LIST, json!({})),
        ("es-es", "Muestra los servicios.", LIST, json!({})),
        ("es-es", "Inicia el servicio radio.", CONTROL, does("start")),
        ("es-es", "Detén el servicio radio.", CONTROL, does("stop")),
        ("es-es", "Reinicia el servicio radio.", CONTROL, does("restart")),
        ("pt-pt", "Que serviços estão a correr?", LIST, json!({})),
        ("pt-pt", "Mostra os serviços.", LIST, json!({})),
        ("pt-pt", "Inicia o serviço radio.", CONTROL, does("start")),
        ("pt-pt", "Para o serviço radio.", CONTROL, does("stop")),
        ("pt-pt", "Reinicia o serviço radio.", CONTROL, does("restart")),
        ("it-it", "Quali servizi sono attivi?", LIST, json!({})),
        ("it-it", "Mostra i servizi.", LIST, json!({})),
        ("it-it", "Avvia il servizio radio.", CONTROL, does("start")),
        ("it-it", "Ferma il servizio radio.", CONTROL, does("stop")),
        ("it-it", "Riavvia il servizio radio.", CONTROL, does("restart")),
    ];
    for (lang, text, tool, arguments) in said {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(call.tool, *tool, "{text}");
        assert_eq!(Value::from(call.arguments), *arguments, "{text}");
    }
}

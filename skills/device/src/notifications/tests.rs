//! The tools beside a mock of the desktop, with notifications of another program, and what people say.

use std::process::{Command, Stdio};
use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::hearing::Hearing;
use super::kept::MOST;
use super::service::{NAME, PATH};
use super::{CLEAR, Notifications, READ, SHOW, SKILL};
use crate::dbus::DeviceBus;
use crate::dbus::stage::{DEADLINE, Stage, run, tells_what_is_missing_on, wording};
use loquat_kit::function::FunctionToolbox;
use loquat_kit::wording::Wording;
use loquat_trial::{heard, languages_are_whole};

fn on_bus(bus: &DeviceBus, wording: &Wording) -> FunctionToolbox {
    super::toolbox(&Arc::new(Notifications::new(bus.clone())), wording)
}

fn on_bus_of(stage: &Stage) -> Arc<Notifications> {
    Arc::new(Notifications::new(DeviceBus::at(Some(stage.address()))))
}

fn toolbox(notifications: &Arc<Notifications>) -> FunctionToolbox {
    super::toolbox(notifications, &wording(&SKILL))
}

/// A desktop, and what hears its notifications.
struct Desktop {
    stage: Stage,
    notifications: Arc<Notifications>,
    _hearing: JoinSet<()>,
}

impl Desktop {
    async fn begin() -> Self {
        let mut stage = Stage::new().await;
        stage.mock("notification_daemon", NAME, &json!({})).await;
        let notifications = on_bus_of(&stage);
        let mut hearing = JoinSet::new();
        hearing.spawn(Arc::clone(&notifications).run(CancellationToken::new()));
        until("hearing", || matches!(notifications.hearing(), Hearing::On)).await;
        Self {
            stage,
            notifications,
            _hearing: hearing,
        }
    }

    /// Another program shows one.
    fn program_shows(&self, program: &str, replaces: u32, title: &str, text: &str) {
        let notify = [
            "call",
            "--session",
            "--dest",
            NAME,
            "--object-path",
            PATH,
            "--method",
            "org.freedesktop.Notifications.Notify",
            "--",
        ];
        let shown = Command::new("gdbus")
            .args(notify)
            .args([
                program,
                &replaces.to_string(),
                "",
                title,
                text,
                "[]",
                "{}",
                "5000",
            ])
            .env("DBUS_SESSION_BUS_ADDRESS", self.stage.address())
            .stdout(Stdio::null())
            .status();
        assert!(shown.expect("gdbus").success(), "{title}");
    }

    async fn keeps(&self, count: usize) {
        let kept = || self.notifications.kept.lock().latest().len() == count;
        until(&format!("{count} notifications"), kept).await;
    }

    async fn tool(&self, tool: &str, arguments: Value) -> (Value, String) {
        let outcome = run(&toolbox(&self.notifications), tool, arguments).await;
        let outcome = outcome.expect("an outcome");
        (outcome.result.into(), outcome.spoken.expect("a sentence"))
    }
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(DEADLINE, waiting).await.expect(what);
}

#[tokio::test]
async fn notifications_of_other_programs_are_kept_read_and_cleared() {
    let desktop = Desktop::begin().await;
    let (_, none) = desktop.tool(READ, json!({})).await;
    assert_eq!(none, "There are no notifications.");
    desktop.program_shows("Mail", 0, "Bob", "Dinner at <b>eight</b>?");
    desktop.keeps(1).await;
    let (result, one) = desktop.tool(READ, json!({})).await;
    assert_eq!(one, "There is one notification. Mail: Bob. Dinner at eight?");
    let entry = json!({"program": "Mail", "title": "Bob", "text": "Dinner at eight?"});
    assert_eq!(result["notifications"], json!([entry]));
    // A bar that fills replaces itself.
    desktop.program_shows("Copy", 0, "10 percent", "");
    desktop.keeps(2).await;
    desktop.program_shows("", 2, "20 percent\u{1b}[2J", "");
    until("the new text", || {
        let latest = desktop.notifications.kept.lock().latest();
        latest.len() == 2 && latest[0].title.starts_with("20")
    })
    .await;
    let (_, two) = desktop.tool(READ, json!({})).await;
    let expected = "There are 2 notifications. 20 percent[2J. Mail: Bob. Dinner at eight?";
    assert_eq!(two, expected);
    // What a person closes was seen.
    let closed = (2_u32, 2_u32);
    let signal = [NAME, PATH, "org.freedesktop.DBus.Mock", "EmitSignal"];
    let arguments = (
        "",
        "NotificationClosed",
        "uu",
        vec![zbus::Variant::from(closed.0), zbus::Variant::from(closed.1)],
    );
    desktop.stage.call(signal, &arguments).await;
    desktop.keeps(1).await;
    let (_, cleared) = desktop.tool(CLEAR, json!({})).await;
    assert_eq!(cleared, "The notifications are cleared.");
    assert!(
        desktop.stage.asked().contains("CloseNotification 1"),
        "{}",
        desktop.stage.asked()
    );
    let (_, none) = desktop.tool(READ, json!({})).await;
    assert_eq!(none, "There are no notifications.");
}

#[tokio::test]
async fn a_flood_is_bounded_and_the_rest_is_counted() {
    let desktop = Desktop::begin().await;
    let notify = [NAME, PATH, NAME, "Notify"];
    let hints = std::collections::HashMap::<&str, zbus::Variant<'_>>::new();
    for number in 1..=MOST + 8 {
        let text = "x".repeat(64 << 10);
        let told = (
            "Flood",
            0_u32,
            "",
            format!("Number {number}"),
            text,
            Vec::<&str>::new(),
            &hints,
            -1_i32,
        );
        desktop.stage.call(notify, &told).await;
    }
    let last = format!("Number {}", MOST + 8);
    until("the last one", || {
        let latest = desktop.notifications.kept.lock().latest();
        latest.first().is_some_and(|notice| notice.title == last)
    })
    .await;
    desktop.keeps(MOST).await;
    let (result, told) = desktop.tool(READ, json!({})).await;
    assert_eq!(result["notifications"].as_array().map(Vec::len), Some(MOST));
    assert!(
        told.starts_with("There are 32 notifications. Flood: Number 40."),
        "{told}"
    );
    assert!(told.ends_with("And 27 more.") && told.len() < 4096, "{told}");
}

#[tokio::test]
async fn one_is_shown_and_what_is_in_it_is_text() {
    let mut stage = Stage::new().await;
    stage.mock("notification_daemon", NAME, &json!({})).await;
    let shown = run(
        &toolbox(&on_bus_of(&stage)),
        SHOW,
        json!({"text": "Tea < 5 & ready"}),
    )
    .await
    .expect("an outcome");
    assert_eq!(Value::from(shown.result), json!({"done": true}));
    assert_eq!(shown.spoken.as_deref(), Some("The notification is shown."));
    let asked = stage.asked();
    assert!(
        asked.contains("Notify \"Loquat\" 0 \"\" \"Loquat\" \"Tea &lt; 5 &amp; ready\""),
        "{asked}"
    );
    for wrong in [json!({"text": "  "}), json!({"text": "x".repeat(401)}), json!({})] {
        let refused = run(&toolbox(&on_bus_of(&stage)), SHOW, wrong).await;
        assert!(refused.expect_err("no text").to_string().contains("text"));
    }
    // Nothing is heard that the settings do not want.
    let off = run(&toolbox(&on_bus_of(&stage)), READ, json!({}))
        .await
        .expect("an outcome");
    assert!(
        off.result["problem"]
            .as_str()
            .is_some_and(|problem| problem.contains("notifications.keep = true"))
    );
    assert!(off.spoken.is_some_and(|told| told.contains("notifications.keep")));
}

#[tokio::test]
async fn a_session_that_ends_is_told_and_where_none_is_nothing_is_heard() {
    let desktop = Desktop::begin().await;
    let Desktop {
        stage,
        notifications,
        _hearing,
    } = desktop;
    drop(stage);
    until("the loss", || matches!(notifications.hearing(), Hearing::Deaf(_))).await;
    let told = run(&toolbox(&notifications), READ, json!({}))
        .await
        .expect("an outcome");
    let problem = told.result["problem"].as_str().expect("a problem");
    assert!(problem.contains("see whether dbus runs"), "{problem}");
}

#[tokio::test]
async fn what_is_missing_is_named_with_the_mend() {
    let calls = [(SHOW, json!({"text": "Hello"}))];
    let mend = "set DBUS_SESSION_BUS_ADDRESS";
    tells_what_is_missing_on((&SKILL, on_bus), &calls, &[], &DeviceBus::at(None), mend).await;
    let toolbox = toolbox(&on_bus_of(&Stage::new().await));
    let tools = toolbox.tools();
    let foreign = tools.iter().filter(|tool| tool.brings_foreign_text);
    assert_eq!(foreign.map(|tool| tool.name.as_str()).collect::<Vec<_>>(), [READ]);
}

/// What is said, and the tool.
const SAID: &[(&str, &str, &str)] = &[
    ("en-us", "Read my notifications.", READ),
    ("en-us", "Any notifications?", READ),
    ("en-us", "Do I have any new notifications?", READ),
    ("en-us", "What notifications do I have?", READ),
    ("en-us", "Clear the notifications.", CLEAR),
    ("en-us", "Dismiss all notifications.", CLEAR),
    ("en-us", "Show a notification that says Tea", SHOW),
    ("de-de", "Lies mir meine Benachrichtigungen vor.", READ),
    ("de-de", "Gibt es neue Benachrichtigungen?", READ),
    ("de-de", "Welche Benachrichtigungen habe ich?", READ),
    ("de-de", "Lösche die Benachrichtigungen.", CLEAR),
    ("de-de", "Zeig eine Benachrichtigung mit dem Text Tea", SHOW),
    ("fr-fr", "Lis mes notifications.", READ),
    ("fr-fr", "Est-ce que j'ai de nouvelles notifications ?", READ),
    ("fr-fr", "Quelles sont mes notifications ?", READ),
    ("fr-fr", "Efface les notifications.", CLEAR),
    ("fr-fr", "Affiche une notification qui dit Tea", SHOW),
    ("es-es", "Lee mis notificaciones.", READ),
    ("es-es", "¿Tengo notificaciones nuevas?", READ),
    ("es-es", "¿Hay notificaciones?", READ),
    ("es-es", "Borra las notificaciones.", CLEAR),
    ("es-es", "Muestra una notificación que diga Tea", SHOW),
    ("pt-pt", "Lê as minhas notificações.", READ),
    ("pt-pt", "Tenho notificações novas?", READ),
    ("pt-pt", "Há notificações?", READ),
    ("pt-pt", "Limpa as notificações.", CLEAR),
    ("pt-pt", "Mostra uma notificação a dizer Tea", SHOW),
    ("it-it", "Leggi le mie notifiche.", READ),
    ("it-it", "Ci sono notifiche?", READ),
    ("it-it", "Ho notifiche nuove?", READ),
    ("it-it", "Cancella le notifiche.", CLEAR),
    ("it-it", "Mostra una notifica che dice Tea", SHOW),
];

#[test]
fn sentences_are_understood_in_six_languages() {
    languages_are_whole(&SKILL);
    for (lang, text, tool) in SAID {
        let arguments = if *tool == SHOW {
            json!({"text": "Tea"})
        } else {
            json!({})
        };
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(call.tool, *tool, "{text}");
        assert_eq!(Value::from(call.arguments), arguments, "{text}");
    }
    for (lang, text) in [
        ("en-us", "What is a notification?"),
        ("de-de", "Was ist eine Benachrichtigung?"),
        ("fr-fr", "C'est quoi une notification ?"),
        ("es-es", "¿Qué es una notificación?"),
        ("pt-pt", "O que é uma notificação?"),
        ("it-it", "Cos'è una notifica?"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(call.is_none_or(|call| call.toolbox_id != super::ID), "{text}");
    }
}

//! Programs on D-Bus that ask without end, bring megabytes and wrong types, call what is not there, and belong to others.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use zbus::Connection;

use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::attack::target::Target;
use crate::brain::Reply;
use crate::dbus::{DbusDaemon, shown};
use crate::dice::Dice;
use crate::home::Home;
use crate::story::TESTER;
use crate::wait::PATIENCE;

const NAME: &str = "org.loquat.Loquat1";
const PATH: &str = "/org/loquat/Loquat1";

/// A user whom no program of the test has.
const STRANGER: u32 = 65_534;

/// Programs at once.
const PROGRAMS: usize = 12;

/// What came of the calls.
#[derive(Debug, Default, Clone, Copy)]
struct Told {
    answered: usize,
    refused: usize,
    silent: usize,
}

/// Floods the object on D-Bus.
pub async fn desktop(scale: Scale) -> Row {
    // The D-Bus has to be there before the daemon, which has a home of its own.
    let beside = Home::without_bus();
    let bus = DbusDaemon::open(beside.path()).await;
    let target = Target::begin_with(
        |tester, _| tester,
        |launch| launch.env("DBUS_SESSION_BUS_ADDRESS", bus.address()),
    )
    .await;
    target.daemon.wrote("programs reach this daemon", PATIENCE).await;
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let (told, question) = tokio::join!(flood(&bus, scale), target.ask());
    let huge = huge(&bus).await;
    let (foreign, denied) = foreign(&bus, scale).await;
    let after = ask(&bus).await;
    let mut row = Row {
        count: told.answered + told.refused + told.silent + huge + foreign,
        seen: format!(
            "{} answered, {} refused, {denied} of {foreign} of others denied",
            told.answered, told.refused
        ),
        ..Row::default()
    };
    row.demand(told.answered > 0 && told.refused > 0, || {
        "the attack did not arrive".into()
    });
    row.demand(told.silent == 0, || {
        format!("{} calls got no answer", told.silent)
    });
    row.demand(denied == foreign, || {
        format!("{} calls of another user were not denied", foreign - denied)
    });
    row.demand(after == "Fine.", || {
        format!("a program is told afterwards: {after}")
    });
    target.judged(row, question).await
}

async fn connected(bus: &DbusDaemon) -> Connection {
    let builder = zbus::connection::Builder::address(bus.address());
    builder
        .build()
        .await
        .expect("the test's own D-Bus lets its user in")
}

async fn flood(bus: &DbusDaemon, scale: Scale) -> Told {
    let mut programs = JoinSet::new();
    for program in 0..PROGRAMS {
        let connection = connected(bus).await;
        let mut dice = Dice::new(scale.seed + program as u64);
        programs.spawn(async move {
            let mut told = Told::default();
            for _ in 0..scale.requests / PROGRAMS {
                match timeout(PATIENCE, call(&connection, &mut dice)).await {
                    Ok(true) => told.answered += 1,
                    Ok(false) => told.refused += 1,
                    Err(_) => told.silent += 1,
                }
            }
            told
        });
    }
    let all = programs.join_all().await;
    all.into_iter().fold(Told::default(), |sum, told| Told {
        answered: sum.answered + told.answered,
        refused: sum.refused + told.refused,
        silent: sum.silent + told.silent,
    })
}

/// Makes one call of any kind, and tells whether it was carried out.
async fn call(connection: &Connection, dice: &mut Dice) -> bool {
    let numbers: Vec<i32> = (0..100).collect();
    let text = "x".repeat(dice.index(100_000));
    let method = *dice.pick(&["Ask", "Say", "Nothing", "Listen", "ask", ""]);
    let on = |interface: &'static str, path: &'static str| (interface, path);
    let (interface, path) = *dice.pick(&[
        on(NAME, PATH),
        on(NAME, PATH),
        on(NAME, "/"),
        on("org.loquat.Other", PATH),
    ]);
    let name = if method.is_empty() { "Ask" } else { method };
    let called = match dice.index(7) {
        0 | 1 => {
            connection
                .call_method(Some(NAME), PATH, Some(NAME), "Ask", &"hello")
                .await
        }
        2 => {
            connection
                .call_method(Some(NAME), path, Some(interface), name, &text)
                .await
        }
        3 => {
            connection
                .call_method(Some(NAME), path, Some(interface), name, &numbers)
                .await
        }
        4 => {
            connection
                .call_method(Some(NAME), PATH, Some(NAME), "Ask", &(1_u8, "two", 3.0))
                .await
        }
        5 => {
            connection
                .call_method(Some(NAME), PATH, Some(NAME), "Ask", &())
                .await
        }
        _ => {
            let wrong = (NAME, "Status", zbus::Variant::from(7_u32));
            let properties = Some("org.freedesktop.DBus.Properties");
            connection
                .call_method(Some(NAME), PATH, properties, "Set", &wrong)
                .await
        }
    };
    called.is_ok()
}

/// Sends texts of many megabytes, which the daemon reads past, and counts them.
async fn huge(bus: &DbusDaemon) -> usize {
    let connection = connected(bus).await;
    let text = "x".repeat(24 << 20);
    for _ in 0..4 {
        let call = connection.call_method(Some(NAME), PATH, Some(NAME), "Ask", &text);
        // Whether it is answered is the daemon's choice.
        timeout(Duration::from_secs(2), call).await.ok();
    }
    4
}

/// Calls of another user, which root alone can make, and how many of them were denied.
async fn foreign(bus: &DbusDaemon, scale: Scale) -> (usize, usize) {
    if !rustix::process::getuid().is_root() {
        return (0, 0);
    }
    let mut denied = 0;
    let calls = (scale.requests / 100).max(3);
    for _ in 0..calls {
        let ask = ["call", NAME, PATH, NAME, "Ask", "s", "Who am I?"];
        let said = shown(&bus.busctl_as(STRANGER, &ask).await);
        denied += usize::from(said.contains("Access denied"));
    }
    (calls, denied)
}

/// Gives what a program of good manners is answered, or why it is not.
async fn ask(bus: &DbusDaemon) -> String {
    let connection = connected(bus).await;
    let call = connection.call_method(Some(NAME), PATH, Some(NAME), "Ask", &"hello");
    match timeout(PATIENCE, call).await {
        Ok(Ok(answer)) => answer.body().deserialize().unwrap_or_default(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "no answer".to_owned(),
    }
}

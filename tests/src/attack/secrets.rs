//! Secrets, one on each path by which the daemon gets any: keys of personas, credentials of the service manager, tokens of
//! the home, of MCP and of the page, names and passwords in addresses, what mycroft.conf holds for others, and what a person
//! says. Servers that give back what they were sent, refuse and break off have them told on.
//!
//! None may be found in the log, in spans, in frames of the bus, on the page, in figures, in the state, in what commands
//! print, or in a core file; of what a person says only the places that are for it may hold anything.

mod mirror;
mod places;
mod planted;

use std::time::Duration;

use self::mirror::Mirror;
use self::places::Places;
use self::planted::{PERSONAS, SAID, Secrets};
use super::flood::told;
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::brain::Reply;
use crate::browser::{Browser, served};
use crate::probe::BusProbe;
use crate::story::TESTER;
use crate::turn::Utterance;
use crate::wait::PATIENCE;

/// What the log may hold in each life; with the second it may hold what people say.
const FILTERS: [&str; 2] = ["debug", "trace"];

/// Both lives.
pub async fn attack(_: Scale) -> Row {
    let mut whole = Row::default();
    let (mut places, mut bytes) = (0, 0);
    for filter in FILTERS {
        let (row, looked_at) = life(filter).await;
        whole.count = row.count;
        whole.memory = whole.memory.max(row.memory);
        whole.ping = whole.ping.max(row.ping);
        whole.question = whole.question.max(row.question);
        whole.end = whole.end.max(row.end);
        whole.took += row.took;
        whole
            .faults
            .extend(row.faults.into_iter().map(|fault| format!("{filter}: {fault}")));
        places += looked_at.0;
        bytes += looked_at.1;
    }
    whole.seen = format!(
        "{} hits in {places} places of {} KiB",
        whole.faults.len(),
        bytes >> 10
    );
    whole.faults.truncate(8);
    whole
}

async fn life(filter: &str) -> (Row, (usize, usize)) {
    let secrets = Secrets::default();
    let (refusing, collector) = (Mirror::start(401).await, Mirror::start(200).await);
    let mut root = String::new();
    let target = Target::begin_with(
        |tester, home| {
            root = served(home);
            home.setting("log.filter", &format!("{filter:?}"));
            home.setting("bus.reports", "\"events\"");
            home.setting("telemetry.endpoint", &format!("{:?}", collector.url("")));
            secrets.plant(tester, home, &refusing)
        },
        |launch| secrets.hand_over(launch),
    )
    .await;
    target.daemon.wrote("the page is served", PATIENCE).await;
    let bus = BusProbe::connect(target.home.port()).await;
    let mut browser = Browser::entered(&target.home, &root).await;
    target
        .brain
        .whenever(TESTER, SAID, Reply::answers("I will not tell."));
    for persona in PERSONAS {
        let utterance = Utterance::new(&format!("My secret is {SAID}, what do you say?")).to(persona);
        utterance.in_session(persona).ask(&bus).await;
    }
    // The search is refused, and says so.
    let search = ("web_search", &serde_json::json!({"query": "marigolds"}));
    told(&bus, "search", "ovos-web-search-tools", search).await;
    let question = target.ask().await;
    let mut row = Row {
        count: secrets.count(),
        ..Row::default()
    };
    row.demand(refusing.has_seen(&secrets.sent()), || {
        format!(
            "the servers were not sent what they had to be: {:?}",
            refusing.lacks(&secrets.sent())
        )
    });
    let mut places = Places::default();
    places.page(&mut browser).await;
    places.commands(&target.home, &secrets).await;
    places.bus(&bus);
    places.spans(&collector).await;
    places.state(&target.home);
    places.add("what the brain was asked", requests(&target));
    places.log(&target.daemon);
    let looked_at = places.size();
    for (place, secret) in places.hits(&secrets, filter) {
        row.fault(format!("{secret} is in {place}"));
    }
    let core = places::core_files_of(&target.daemon);
    row.demand(core.is_none(), || core.unwrap_or_default());
    (target.judged(row, question).await, looked_at)
}

/// Gathers all that the brain was shown; the keys by which it is asked are in no words.
fn requests(target: &Target) -> String {
    let all = target.brain.requests(TESTER);
    all.iter().map(crate::brain::Request::text).collect()
}

/// How long a collector may be waited for.
const COLLECTED: Duration = Duration::from_secs(10);

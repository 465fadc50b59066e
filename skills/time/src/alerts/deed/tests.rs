//! Deeds at moments of clock, calendar and sun, each once through whatever clocks and processes do; and what a person has agreed
//! to when they were set.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use loquat_agent::Speaker;
use loquat_agent::toolbox::{Circumstances, Toolbox};
use serde_json::{Value, json};

use super::super::day::Day;
use super::super::turn::Turn;

/// So many steps of the clock.
const STEPS: u32 = 4000;

fn begun(turns: &[Turn]) -> Vec<u64> {
    let begun = turns.iter().filter(|turn| matches!(turn, Turn::Begins(_)));
    begun.map(|turn| turn.alert().id).collect()
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

fn jump(day: &Day, seconds: i64) {
    let mut now = day.now.lock();
    now.wall += SignedDuration::from_secs(seconds);
}

#[tokio::test]
async fn it_is_set_for_a_time_of_day_and_for_many_days() {
    let day = Day::new();
    let set = |arguments: Value| day.call("do_later", arguments);
    assert_eq!(
        set(json!({"command": "turn off the fan", "time": "6 pm"})).await,
        "I will do that at 6:00 PM today: turn off the fan."
    );
    assert_eq!(
        set(json!({"command": "turn on the fan", "time": "every morning at seven"})).await,
        "I will do that at 7:00 AM every day: turn on the fan."
    );
    assert_eq!(
        set(json!({"command": "tell me the news", "time": "sunset", "repeat": "daily"})).await,
        "I will do that every day at sunset: tell me the news."
    );
    let listed = day.call("list_alerts", json!({"kind": "deed"})).await;
    assert!(listed.contains("day at sunset: tell me the news"), "{listed}");
    assert!(
        listed.contains("at 7:00 AM every day: turn on the fan"),
        "{listed}"
    );
    let moved = day
        .change(json!({"kind": "deed", "name": "turn on", "to": "8 am"}))
        .await;
    assert_eq!(moved, "I will do that at 8:00 AM every day: turn on the fan.");
}

#[tokio::test]
async fn the_sun_of_each_day_counts_and_a_device_that_does_not_know_where_it_is_says_so() {
    let mut day = Day::new();
    day.call(
        "do_later",
        json!({"command": "turn on the fan", "time": "30 minutes before sunset", "repeat": "daily"}),
    )
    .await;
    let zone = TimeZone::get("Europe/Berlin").expect("a zone");
    let mut moments = Vec::new();
    for _ in 0..3 {
        let alert = day.alerts.all().await.remove(0);
        let moment = alert.due.to_zoned(zone.clone());
        assert_eq!(moment.hour(), 15, "half an hour before the sun sets: {moment}");
        moments.push(moment.time());
        day.now.lock().wall = alert.due + SignedDuration::from_secs(1);
        assert_eq!(begun(&day.turns().await), [alert.id]);
        day.alerts.is_over(alert.id).await;
    }
    assert!(
        moments.windows(2).all(|two| two[1] < two[0]),
        "days get shorter: {moments:?}"
    );
    day.neighbours.place = None;
    let said = day
        .call(
            "do_later",
            json!({"command": "turn on the fan", "time": "sunrise"}),
        )
        .await;
    assert!(said.starts_with("I do not know where I am"), "{said}");
}

#[tokio::test]
async fn what_is_repeated_comes_once_on_the_days_on_which_clocks_change() {
    for start in ["2027-03-26T22:00:00Z", "2027-10-29T22:00:00Z"] {
        let day = Day::new();
        day.now.lock().wall = start.parse().expect("a moment");
        day.call(
            "do_later",
            json!({"command": "fan", "time": "2:30 am", "repeat": "daily"}),
        )
        .await;
        let zone = TimeZone::get("Europe/Berlin").expect("a zone");
        let mut of_days: BTreeMap<String, usize> = BTreeMap::new();
        for _ in 0..(4 * 24 * 12) {
            day.pass(300.0);
            for id in begun(&day.turns().await) {
                let date = day.now.lock().wall.to_zoned(zone.clone()).date();
                *of_days.entry(date.to_string()).or_default() += 1;
                day.alerts.is_over(id).await;
            }
        }
        assert!(
            of_days.len() >= 4 && of_days.values().all(|count| *count == 1),
            "{start}: {of_days:?}"
        );
    }
}

#[tokio::test]
async fn what_harms_when_it_is_late_is_told_and_what_does_not_is_done() {
    for (arguments, late, is_done) in [
        (json!({"command": "turn off the fan", "minutes": 5}), 50.0, true),
        (json!({"command": "turn off the fan", "minutes": 5}), 70.0, false),
        (json!({"command": "xyzzy", "minutes": 5}), 70.0, false),
        (json!({"command": "tell me the news", "minutes": 5}), 500.0, true),
        (json!({"command": "tell me the news", "minutes": 5}), 700.0, false),
        (
            json!({"command": "turn off the fan", "minutes": 5, "even_late": true}),
            7000.0,
            true,
        ),
    ] {
        let mut day = Day::new();
        day.call("do_later", arguments.clone()).await;
        day.pass(300.0 + late);
        day.restart();
        let turns = day.turns().await;
        assert_eq!(turns.len(), 1, "{arguments}");
        assert_eq!(!begun(&turns).is_empty(), is_done, "{arguments}: {turns:?}");
    }
}

/// Sets it as a turn does that has asked the person, or has not.
async fn set_with_a_yes(day: &Day, arguments: Value, is_consented: bool) {
    let toolbox = super::super::toolbox(&day.alerts, day.neighbours.clone(), &day.wording);
    let person = Circumstances {
        speaker: Speaker::Owner,
        is_consented,
        ..Circumstances::default()
    };
    let arguments = serde_json::from_value(arguments).expect("an object");
    toolbox
        .call("do_later", arguments, &person)
        .await
        .expect("it is set");
}

#[tokio::test]
async fn what_asks_is_asked_about_when_it_is_set_and_only_the_turn_can_say_yes() {
    let day = Day::new();
    let toolbox = super::super::toolbox(&day.alerts, day.neighbours.clone(), &day.wording);
    let resolve = |command: &str| {
        let arguments = json!({"command": command, "minutes": 5, "agreed": [{"toolbox_id": "home", "tool": "safe", "arguments": {}}]});
        let asked = json!({"tool": "do_later", "arguments": arguments});
        serde_json::from_value(asked).expect("an object")
    };
    let person = Circumstances::default();
    let free = toolbox
        .call("foresee_deed", resolve("turn off the fan"), &person)
        .await
        .expect("a meaning");
    assert_eq!(free.result["asks"], false);
    assert!(
        free.result["arguments"].get("agreed").is_none(),
        "nobody was asked: {free:?}"
    );
    let asks = toolbox
        .call("foresee_deed", resolve("open the door"), &person)
        .await
        .expect("a meaning");
    assert_eq!(asks.result["asks"], true);
    let agreed = asks.result["arguments"]["agreed"].clone();
    assert_eq!(agreed[0]["tool"], "door");
    let told = asks.result["told"].as_object().expect("what is told");
    let question = toolbox.question("do_later", told, "en-US").expect("a question");
    assert!(question.contains("door, door"), "{question}");

    let with_agreed = json!({"command": "open the door", "minutes": 5, "agreed": agreed});
    for is_consented in [false, true] {
        let day = Day::new();
        set_with_a_yes(&day, with_agreed.clone(), is_consented).await;
        let all = day.alerts.all().await;
        let kept = all[0].deed.as_ref().expect("a deed").agreed.len();
        assert_eq!(kept, usize::from(is_consented));
    }
}

#[tokio::test]
async fn each_of_two_hundred_comes_once_through_kills_and_clocks_that_jump() {
    let mut day = Day::new();
    let mut dice = Dice(0x5eed);
    for number in 0..200 {
        let (hour, minute) = (dice.below(24), dice.below(60));
        let arguments = match dice.below(3) {
            0 => json!({"command": format!("fan {number}"), "minutes": 1 + dice.below(600)}),
            1 => json!({"command": format!("news {number}"), "seconds": 1 + dice.below(36_000)}),
            _ => json!({"command": format!("fan {number}"), "time": format!("{hour:02}:{minute:02}")}),
        };
        let said = day.call("do_later", arguments.clone()).await;
        assert!(said.starts_with("I will do that"), "{arguments}: {said}");
    }
    let (mut done, mut told): (BTreeMap<u64, u32>, BTreeMap<u64, u32>) = Default::default();
    let ids: Vec<u64> = day.alerts.all().await.iter().map(|alert| alert.id).collect();
    assert_eq!(ids.len(), 200);
    let mut kills = 0;
    for _ in 0..STEPS {
        day.pass(dice.below(45) as f64);
        if dice.below(40) == 0 {
            let seconds = i64::try_from(dice.below(7200)).expect("a span") - 3600;
            jump(&day, seconds);
        }
        let mut is_killed = dice.below(40) == 0;
        for turn in day.turns().await {
            let id = turn.alert().id;
            match turn {
                Turn::Begins(_) => {
                    *done.entry(id).or_default() += 1;
                    // It is killed behind what it said, before that is written down.
                    is_killed |= dice.below(10) == 0;
                    if is_killed {
                        break;
                    }
                    day.alerts.is_over(id).await;
                }
                Turn::Missed(_) => *told.entry(id).or_default() += 1,
                other => panic!("{other:?}"),
            }
        }
        if is_killed {
            kills += 1;
            day.restart();
        }
    }
    day.pass(200_000.0);
    for turn in day.turns().await {
        *told.entry(turn.alert().id).or_default() += 1;
    }
    assert!(kills > 50, "{kills}");
    assert!(day.alerts.all().await.is_empty());
    for id in ids {
        let (done, told) = (done.get(&id).copied(), told.get(&id).copied());
        assert!(done.unwrap_or_default() <= 1, "{id} was done twice");
        assert!(done.is_some() || told.is_some(), "{id} is lost");
        assert!(told.unwrap_or_default() <= 1, "{id} was told twice");
    }
    assert!(done.len() > 100, "most are done: {}", done.len());
}

/// A moment of a file that was written before there were deeds with more than a sentence.
#[test]
fn what_an_earlier_version_kept_is_read() {
    let kept = json!({"id": 7, "kind": "deed", "name": "turn off the fan", "person": {"session_id": "", "lang": null,
        "time_zone": null, "time_format": null, "date_format": null}, "due": "2026-11-24T09:00:00Z", "due_after_span": null,
        "span_seconds": null, "repetition": {"days": [1], "time": "07:00:00"}, "ringing": null});
    let alert: super::super::Alert = serde_json::from_value(kept).expect("an alert");
    assert!(alert.deed.is_none() && alert.is_repeated());
    assert_eq!(
        alert.due,
        Timestamp::from_second(1_795_510_800).expect("a moment")
    );
}

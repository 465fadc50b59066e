//! What the result of a tool is to an answer of the pack: done as it was asked, with what its gaps hold, or not done, with the
//! name of the reason. A result that no answer of theirs tells whole has no account.

use jiff::civil::{Date, Time};
use loquat_agent::turn::Phrasing;
use loquat_sentences::{Given, State};
use serde_json::{Map, Value, json};

use loquat_device::{media, volume};
use loquat_home as home;
use loquat_notes::lists;
use loquat_online::weather;
use loquat_time::{alerts, clock};

/// What came of a call.
#[derive(Debug, Clone)]
pub(super) enum Account {
    /// What was asked for.
    Done(Given),
    /// Nothing, for a reason that the pack has a sentence for.
    Failed(&'static str, Given),
}

impl Account {
    pub(super) fn of(phrasing: &Phrasing, toolbox_id: &str, result: &Map<String, Value>) -> Option<Self> {
        let result = Brought(result);
        let given = Given {
            slots: phrasing.slots.clone(),
            ..Given::default()
        };
        if result.has("warning") {
            return None;
        }
        match toolbox_id {
            clock::ID => result.moment(given).map(Self::Done),
            weather::ID => result.weather(given).map(Self::Done),
            alerts::ID => result.alerts(phrasing, given),
            lists::ID => (result.lists("added") || result.lists("removed")).then_some(Self::Done(given)),
            volume::ID | media::ID => result.is("done").then_some(Self::Done(given)),
            home::ID => result.home(given),
            _ => None,
        }
    }
}

/// What a tool gave back.
#[derive(Clone, Copy)]
struct Brought<'a>(&'a Map<String, Value>);

impl<'a> Brought<'a> {
    fn has(self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    fn is(self, key: &str) -> bool {
        self.0.get(key).and_then(Value::as_bool) == Some(true)
    }

    fn text(self, key: &str) -> Option<&'a str> {
        self.0.get(key)?.as_str()
    }

    fn list(self, key: &str) -> &'a [Value] {
        let list = self.0.get(key).and_then(Value::as_array);
        list.map(Vec::as_slice).unwrap_or_default()
    }

    fn lists(self, key: &str) -> bool {
        !self.list(key).is_empty()
    }

    fn moment(self, given: Given) -> Option<Given> {
        let date: Date = self.text("date")?.parse().ok()?;
        let time: Time = self.text("time")?.parse().ok()?;
        let weekday = date.weekday().to_monday_zero_offset();
        Some(
            given
                .with_date(date.year(), date.month(), date.day(), weekday)
                .with_time(time.hour(), time.minute()),
        )
    }

    /// The weather of one moment.
    fn weather(self, mut given: Given) -> Option<Given> {
        let (low, high) = (self.0.get("low")?.as_f64()?, self.0.get("high")?.as_f64()?);
        let unit = if self.text("unit") == Some("fahrenheit") {
            "°F"
        } else {
            "°C"
        };
        let attributes = json!({"temperature": low.midpoint(high).round() as i64, "temperature_unit": unit});
        given.matched = vec![State {
            state: sky(self.text("condition")?)?.to_owned(),
            domain: "weather".to_owned(),
            attributes: attributes.as_object().cloned().unwrap_or_default(),
            ..State::default()
        }];
        (high - low <= 1.0 && !self.lists("days")).then_some(given)
    }

    fn alerts(self, phrasing: &Phrasing, mut given: Given) -> Option<Account> {
        if self.lists("which") {
            return Some(Account::Failed("multiple_timers_matched", given));
        }
        let count = self.0.get("count").and_then(Value::as_u64);
        let says_which = || {
            phrasing
                .slots
                .keys()
                .any(|slot| slot == "name" || slot.starts_with("start_"))
        };
        match (phrasing.intent.as_str(), count) {
            ("HassTimerStatus", Some(0)) if says_which() => {
                return Some(Account::Failed("timer_not_found", given));
            }
            ("HassTimerStatus" | "HassCancelAllTimers", Some(_)) => {}
            (_, Some(0)) => return Some(Account::Failed("timer_not_found", given)),
            (_, None) if !self.has("id") => return None,
            _ => {}
        }
        let timers: Vec<Value> = self.list("timers").iter().map(timer).collect();
        given.slots.insert("timers".to_owned(), Value::from(timers));
        given
            .slots
            .insert("canceled".to_owned(), json!(count.unwrap_or_default()));
        Some(Account::Done(given))
    }

    fn home(self, mut given: Given) -> Option<Account> {
        if self.lists("choices") {
            return Some(Account::Failed("duplicate_targets", given));
        }
        if self.has("problem") || self.lists("left_out") {
            return None;
        }
        given.matched = things(self.list("matched"));
        given.unmatched = things(self.list("unmatched"));
        if given.slots.contains_key("search_query") {
            // A title that is none is enough: an answer tells only whether anything was found.
            given.slots.insert("media".to_owned(), json!({"title": ""}));
        }
        if self.has("done") {
            return self.is("done").then_some(Account::Done(given));
        }
        if let [_] = self.list("states") {
            given.matched = things(self.list("states"));
            return Some(Account::Done(given));
        }
        self.has("count").then_some(Account::Done(given))
    }
}

fn things(seen: &[Value]) -> Vec<State> {
    let things = seen.iter().enumerate();
    things
        .filter_map(|(number, seen)| thing(number, Brought(seen.as_object()?)))
        .collect()
}

/// A thing as the home's tools show it. Which entity it is they do not tell, and no answer says it.
fn thing(number: usize, seen: Brought<'_>) -> Option<State> {
    let (domain, state) = (seen.text("domain")?, seen.text("state").unwrap_or_default());
    let degrees = state.parse::<f64>().ok().filter(|_| domain == "climate");
    let attributes = degrees.map(|degrees| ("current_temperature".to_owned(), json!(degrees)));
    let unit = seen
        .text("unit")
        .map(|unit| format!(" {unit}"))
        .unwrap_or_default();
    Some(State {
        entity_id: format!("{domain}.{number}"),
        name: seen.text("name")?.to_owned(),
        domain: domain.to_owned(),
        state: state.to_owned(),
        state_with_unit: format!("{state}{unit}"),
        attributes: Map::from_iter(attributes),
    })
}

/// A timer as the pack's answers look at it, with what is left of it in round figures.
fn timer(figures: &Value) -> Value {
    let seconds = |key: &str| figures.get(key).and_then(Value::as_u64).unwrap_or_default();
    let (left, start) = (seconds("seconds_left"), seconds("seconds_at_start"));
    let [hours, minutes, rest] = parts(rounded(left));
    let [start_hours, start_minutes, start_seconds] = parts(start);
    json!({
        "name": figures.get("name").and_then(Value::as_str).unwrap_or_default(),
        "area": figures.get("room").and_then(Value::as_str).unwrap_or_default(),
        "is_active": figures.get("is_active"),
        "total_seconds_left": left,
        "start_hours": start_hours,
        "start_minutes": start_minutes,
        "start_seconds": start_seconds,
        "rounded_hours_left": hours,
        "rounded_minutes_left": minutes,
        "rounded_seconds_left": rest,
    })
}

fn parts(seconds: u64) -> [u64; 3] {
    [seconds / 3_600, seconds / 60 % 60, seconds % 60]
}

/// To the half hour where there are hours, to the half minute where there are minutes, and to ten seconds from ten on.
fn rounded(seconds: u64) -> u64 {
    let step = match seconds {
        0..10 => 1,
        10..60 => 10,
        60..3_600 => 30,
        _ => 1_800,
    };
    (seconds + step / 2) / step * step
}

/// What Home Assistant calls a condition of ours.
fn sky(condition: &str) -> Option<&'static str> {
    Some(match condition {
        "clear" | "mostly clear" => "sunny",
        "partly cloudy" => "partlycloudy",
        "overcast" => "cloudy",
        "fog" => "fog",
        "drizzle" | "light rain" | "rain" | "showers" => "rainy",
        "heavy rain" | "heavy showers" => "pouring",
        "freezing rain" => "snowy-rainy",
        "light snow" | "snow" | "heavy snow" | "snow showers" => "snowy",
        "thunderstorm" => "lightning-rainy",
        "thunderstorm with hail" => "hail",
        _ => return None,
    })
}

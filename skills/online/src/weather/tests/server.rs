//! A weather service of one's own, on a port of this machine: answers as it is told, and counts the questions.

use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::{Date, date};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Well,
    /// With a complaint.
    Status(u16),
    /// Asks for three minutes.
    Busy,
    Page,
    /// JSON that is no report.
    Empty,
    /// Less than it announces.
    Cut,
    /// Announces three MiB.
    Announced,
    /// Sends three MiB without having announced them.
    Endless,
    /// Sends on to another host.
    Elsewhere,
    Silent,
    /// Well, with a name of a place that is none.
    StrangeName,
}

#[derive(Debug)]
pub(super) struct Server {
    pub(super) url: String,
    shape: Arc<Mutex<Shape>>,
    asked: Arc<Mutex<Vec<String>>>,
    /// Ends with the server.
    _task: JoinSet<()>,
}

impl Server {
    pub(super) async fn start(shape: Shape) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let shape = Arc::new(Mutex::new(shape));
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let mut task = JoinSet::new();
        let (shapes, questions) = (Arc::clone(&shape), Arc::clone(&asked));
        task.spawn(async move {
            let mut open = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let question = question(&mut stream).await;
                let shape = *shapes.lock();
                answer(&mut stream, shape, &question).await;
                questions.lock().push(question);
                // A silent server keeps its connections.
                if shape == Shape::Silent {
                    open.push(stream);
                }
            }
        });
        Self {
            url,
            shape,
            asked,
            _task: task,
        }
    }

    pub(super) fn become_(&self, shape: Shape) {
        *self.shape.lock() = shape;
    }

    /// How often it was asked.
    pub(super) fn count(&self) -> usize {
        self.asked.lock().len()
    }

    /// The first line of the last question.
    pub(super) fn last(&self) -> String {
        let asked = self.asked.lock();
        let first = asked.last().and_then(|question| question.lines().next());
        first.unwrap_or_default().to_owned()
    }

    /// Whether the last question holds this.
    pub(super) fn heard(&self, text: &str) -> bool {
        self.asked
            .lock()
            .last()
            .is_some_and(|question| question.contains(text))
    }
}

async fn question(stream: &mut TcpStream) -> String {
    let mut question = Vec::new();
    while !question.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => question.push(byte),
            Err(_) => break,
        }
    }
    String::from_utf8(question).expect("a question in ASCII")
}

async fn answer(stream: &mut TcpStream, shape: Shape, question: &str) {
    let length = |body: &str| format!("content-length: {}\r\n", body.len());
    let body = right_answer(question, shape);
    let (status, headers, body) = match shape {
        Shape::Silent => return,
        Shape::Well | Shape::StrangeName => (200, length(&body), body),
        Shape::Status(status) => {
            let body = json!({"error": true, "reason": "Parameter 'latitude' is strange"}).to_string();
            (status, length(&body), body)
        }
        Shape::Busy => (
            429,
            "retry-after: 180\r\ncontent-length: 0\r\n".to_owned(),
            String::new(),
        ),
        Shape::Page => (
            200,
            String::new(),
            "<!doctype html><p>Sign in to this network".to_owned(),
        ),
        Shape::Empty => (200, String::new(), "[]".to_owned()),
        Shape::Cut => (200, length(&body), body[..body.len() / 2].to_owned()),
        Shape::Announced => (200, "content-length: 3145728\r\n".to_owned(), body),
        Shape::Endless => (200, String::new(), " ".repeat(3 << 20)),
        Shape::Elsewhere => {
            let elsewhere = "location: http://127.0.0.2:1/\r\ncontent-length: 0\r\n";
            (302, elsewhere.to_owned(), String::new())
        }
    };
    let head = format!("HTTP/1.1 {status} Whatever\r\nconnection: close\r\n{headers}\r\n");
    for part in [head, body] {
        // Who has read enough closes the connection.
        if stream.write_all(part.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn right_answer(question: &str, shape: Shape) -> String {
    if !question.starts_with("GET /v1/search?") {
        return forecast().to_string();
    }
    let place = |name: &str, latitude: f64, longitude: f64, admin1: &str, zone: &str| {
        json!({
            "id": 1, "name": name, "latitude": latitude, "longitude": longitude, "elevation": 42.0,
            "feature_code": "PPLC", "country_code": "XX", "timezone": zone, "admin1": admin1,
        })
    };
    let paris = || {
        vec![
            place("Paris", 48.853_41, 2.3488, "Île-de-France", "Europe/Paris"),
            place("Paris", 33.660_94, -95.555_51, "Texas", "America/Chicago"),
        ]
    };
    let strange = format!("Ro me\u{1b}\n<script>{}", "x".repeat(500));
    let places = match shape {
        Shape::StrangeName => vec![place(&strange, 41.9, 12.5, "Lazio", "Europe/Rome")],
        _ if question.contains("name=Paris&") => paris(),
        // What it does not know has no results.
        _ => return json!({"generationtime_ms": 0.3}).to_string(),
    };
    json!({"results": places, "generationtime_ms": 0.5}).to_string()
}

/// Sixteen days from 24 November 2026, each a degree warmer; today it rains at three.
fn forecast() -> Value {
    let today = date(2026, 11, 24);
    let days: Vec<Date> = (0..16)
        .map(|day: i64| today.checked_add(day.days()).expect("a day"))
        .collect();
    let hours: Vec<(Date, i64)> = days
        .iter()
        .flat_map(|day| (0..24).map(|hour| (*day, hour)))
        .collect();
    let rains = |(day, hour): &(Date, i64)| *day == today && *hour == 15;
    let of_hours = |value: &dyn Fn(&(Date, i64)) -> Value| hours.iter().map(value).collect::<Vec<_>>();
    let of_days = |value: &dyn Fn(i64) -> Value| (0..16).map(value).collect::<Vec<_>>();
    json!({
        "latitude": 52.52, "longitude": 13.42, "generationtime_ms": 0.2, "utc_offset_seconds": 3600,
        "timezone": "Europe/Berlin", "timezone_abbreviation": "GMT+1", "elevation": 38.0,
        "current_units": {"time": "iso8601", "temperature_2m": "°C", "weather_code": "wmo code"},
        "current": {
            "time": "2026-11-24T10:00", "interval": 900, "temperature_2m": 6.6, "apparent_temperature": 4.1,
            "weather_code": 61, "wind_speed_10m": 11.2,
        },
        "hourly": {
            "time": of_hours(&|(day, hour)| json!(format!("{day}T{hour:02}:00"))),
            "temperature_2m": of_hours(&|_| json!(9.6)),
            "apparent_temperature": of_hours(&|_| json!(7.9)),
            "precipitation_probability": of_hours(&|hour| json!(if rains(hour) { 60 } else { 10 })),
            "weather_code": of_hours(&|hour| json!(if rains(hour) { 63 } else { 3 })),
            "wind_speed_10m": of_hours(&|_| json!(12.0)),
        },
        "daily": {
            "time": days.iter().map(Date::to_string).collect::<Vec<_>>(),
            "temperature_2m_max": of_days(&|day| json!(11 + day)),
            "temperature_2m_min": of_days(&|day| json!(3 + day)),
            "precipitation_probability_max": of_days(&|day| json!(if day == 0 { 60 } else { 10 })),
            "weather_code": of_days(&|day| json!(if day == 0 { 63 } else { 2 })),
            "wind_speed_10m_max": of_days(&|_| json!(14.0)),
            "uv_index_max": of_days(&|_| json!(1.2)),
        },
    })
}

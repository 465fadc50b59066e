//! Spans as OTLP over HTTP has them in JSON. Opens no connection.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::spans::{Kind, Span};

/// The version of the semantic conventions that the names are from.
pub(super) const SCHEMA: &str = "https://opentelemetry.io/schemas/1.41.0";

/// Builds the body of one request to the collector.
pub(super) fn request(spans: &[Span]) -> Value {
    let resource = [
        ("service.name", Value::from("loquat")),
        ("service.version", Value::from(env!("CARGO_PKG_VERSION"))),
    ];
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(resource.iter().map(|(key, value)| (*key, value)))},
        "schemaUrl": SCHEMA,
        "scopeSpans": [{
            "scope": {"name": "loquat", "version": env!("CARGO_PKG_VERSION")},
            "schemaUrl": SCHEMA,
            "spans": spans.iter().map(span).collect::<Vec<_>>(),
        }],
    }]})
}

fn span(span: &Span) -> Value {
    let mut told = json!({
        "traceId": format!("{:032x}", span.trace),
        "spanId": format!("{:016x}", span.id),
        "name": span.name,
        "kind": match span.kind { Kind::Internal => 1, Kind::Client => 3 },
        "startTimeUnixNano": nanoseconds(span.began),
        "endTimeUnixNano": nanoseconds(span.ended),
        "attributes": attributes(span.attributes.iter().map(|(key, value)| (*key, value))),
        // 1 is well, 2 is an error.
        "status": {"code": if span.failed { 2 } else { 1 }},
    });
    if let (Some(parent), Some(told)) = (span.parent, told.as_object_mut()) {
        told.insert("parentSpanId".to_owned(), format!("{parent:016x}").into());
    }
    told
}

/// A number of 64 bits is a text in the JSON of protocol buffers.
fn nanoseconds(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    since.as_nanos().to_string()
}

fn attributes<'a>(all: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<Value> {
    let one = |(key, value): (&str, &Value)| {
        let value = match value {
            Value::Number(number) => json!({"intValue": number.to_string()}),
            Value::Bool(truth) => json!({"boolValue": truth}),
            Value::String(text) => json!({"stringValue": text}),
            other => json!({"stringValue": other.to_string()}),
        };
        json!({"key": key, "value": value})
    };
    all.map(one).collect()
}

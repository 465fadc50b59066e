//! What comes in is an event, the end or an error, whatever it is; and it never costs more than its bounds.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

/// All events of these bytes, and why it ended if it did not end well.
async fn all(mut bytes: &[u8]) -> (Vec<Event>, Option<ReadEventError>) {
    let mut events = Vec::new();
    loop {
        match read(&mut bytes).await {
            Ok(Some(event)) => events.push(event),
            Ok(None) => return (events, None),
            Err(error) => return (events, Some(error)),
        }
    }
}

fn now<Out>(future: impl Future<Output = Out>) -> Out {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(future)
}

fn text(text: &str) -> Text {
    Text(Some(text.to_owned()))
}

#[test]
fn an_event_is_read_as_the_package_writes_it() {
    let data = "{\"text\": \"Küche\", \"language\": \"de\", \"context\": {\"conversation_id\": \"c\", \"device_id\": null}}";
    let header = json!({"type": "transcript", "version": "1.10.2", "data_length": data.len()});
    let chunk = "{\"type\": \"audio-chunk\", \"data\": {\"rate\": 16000}, \"data_length\": 13, \"payload_length\": 3}\n{\"width\": 2 }abc";
    let (events, error) = now(all(format!("{header}\n{data}{chunk}").as_bytes()));
    assert!(error.is_none(), "{error:?}");
    let [said, heard] = events.try_into().unwrap();
    assert_eq!(
        (said.kind.as_str(), said.data.text),
        ("transcript", text("Küche"))
    );
    assert_eq!(said.data.language, text("de"));
    let context = Context {
        conversation: text("c"),
        ..Context::default()
    };
    assert_eq!(said.data.context.0, context);
    assert_eq!(heard.kind, "audio-chunk");
    assert_eq!(
        (heard.data.rate, heard.data.width, heard.payload.as_slice()),
        (Number(Some(16_000)), Number(Some(2)), b"abc".as_slice())
    );
}

#[test]
fn what_we_write_is_read_again() {
    let bytes = written("handled", &json!({"text": "a\nb \u{2028} ü"}));
    let (events, error) = now(all(&bytes));
    assert!(error.is_none());
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].data.text, text("a\nb \u{2028} ü"));
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let line = |length: usize| {
        let frame = "{\"type\":\"\"}\n".len();
        format!("{{\"type\":\"{}\"}}\n", "x".repeat(length - frame))
    };
    let longest = LONGEST_LINE as usize;
    assert!(now(all(line(longest).as_bytes())).1.is_none());
    for (bytes, part) in [
        (line(longest + 1), "line"),
        ("x".repeat(longest * 3), "line"),
        ("{\"type\":\"a\",\"data_length\":1048577}\n".to_owned(), "data"),
        (
            "{\"type\":\"a\",\"payload_length\":262145}\n".to_owned(),
            "payload",
        ),
        (
            format!("{{\"type\":\"a\",\"payload_length\":{}}}\n", u64::MAX),
            "payload",
        ),
    ] {
        let error = now(all(bytes.as_bytes())).1.unwrap();
        assert!(
            matches!(error, ReadEventError::TooLarge { part: told, .. } if told == part),
            "{error}"
        );
    }
}

#[test]
fn what_ends_too_early_is_cut() {
    for bytes in [
        "{\"type\":\"describe\"}",
        "{",
        "{\"type\":\"a\",\"data_length\":10}\n{}",
        "{\"type\":\"a\",\"payload_length\":10}\nxxx",
    ] {
        let error = now(all(bytes.as_bytes())).1.unwrap();
        assert!(matches!(error, ReadEventError::Cut), "{bytes}: {error}");
    }
}

#[test]
fn what_is_no_event_is_refused() {
    for bytes in [
        "\n",
        "GET / HTTP/1.1\r\n",
        "[]\n",
        "{}\n",
        "{\"type\":7}\n",
        "{\"type\":\"a\",\"data_length\":3}\n{}}",
        "{\"type\":\"a\"} {\"type\":\"b\"}\n",
        "\u{0}\u{1}\n",
    ] {
        let error = now(all(bytes.as_bytes())).1.unwrap();
        assert!(matches!(error, ReadEventError::Json { .. }), "{bytes}: {error}");
    }
    // Lengths that are none count as absent, and data that is no object as empty, however deep it is.
    let deep = format!(
        "{{\"type\":\"a\",\"data\":{}{}}}\n",
        "[".repeat(20_000),
        "]".repeat(20_000)
    );
    assert!(now(all(deep.as_bytes())).1.is_none());
    let odd = "{\"type\":\"a\",\"data\":[1],\"data_length\":-1,\"payload_length\":\"x\"}\n";
    let (events, error) = now(all(odd.as_bytes()));
    assert!(error.is_none() && events.len() == 1, "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_line_that_never_ends_is_waited_for_and_costs_nothing() {
    let (mut peer, ours) = tokio::io::duplex(64);
    let mut ours = tokio::io::BufReader::new(ours);
    peer.write_all(b"{\"type\":").await.unwrap();
    let waited = tokio::time::timeout(Duration::from_secs(60), read(&mut ours)).await;
    assert!(waited.is_err());
}

fn any_event() -> impl Strategy<Value = (String, Option<String>, Vec<u8>)> {
    let payload = proptest::collection::vec(any::<u8>(), 0..300);
    (any::<String>(), proptest::option::of(any::<String>()), payload)
}

proptest! {
    #[test]
    fn any_event_comes_back((kind, said, payload) in any_event(), inline in any::<bool>()) {
        let data = json!({"text": said});
        let outside = if inline { String::new() } else { data.to_string() };
        let header = json!({
            "type": kind, "data": inline.then_some(data), "data_length": outside.len(), "payload_length": payload.len(),
        });
        let mut bytes = format!("{header}\n{outside}").into_bytes();
        bytes.extend(&payload);
        let (events, error) = now(all(&bytes));
        prop_assert!(error.is_none(), "{error:?}");
        let expected = Event { kind, data: Data { text: Text(said), ..Data::default() }, payload };
        prop_assert_eq!(events, vec![expected]);
    }

    #[test]
    fn any_bytes_end_in_order(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let (events, _) = now(all(&bytes));
        prop_assert!(events.len() <= bytes.len());
    }

    #[test]
    fn a_damaged_event_ends_in_order(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = written("transcript", &json!({"text": "What time is it?", "context": {"conversation_id": "c"}}));
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        let (events, _) = now(all(&bytes));
        prop_assert!(events.len() <= 2);
    }
}

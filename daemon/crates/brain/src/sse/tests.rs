//! Each case is fed whole, byte by byte, and split at every place.

use super::*;

impl From<LineTooLong> for String {
    fn from(_: LineTooLong) -> Self {
        "too long".into()
    }
}

fn decode(pieces: &[&[u8]]) -> Result<Vec<String>, String> {
    let mut decoder = SseDecoder::default();
    let mut events = Vec::new();
    for piece in pieces {
        decoder.feed(piece, |data| {
            events.push(data.to_owned());
            Ok::<(), String>(())
        })?;
    }
    events.extend(decoder.finish().map_err(String::from)?);
    Ok(events)
}

fn check(stream: &[u8], expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|&event| event.to_owned()).collect();
    assert_eq!(decode(&[stream]), Ok(expected.clone()), "whole");
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(decode(&bytes), Ok(expected.clone()), "byte by byte");
    for place in 0..=stream.len() {
        let (head, tail) = stream.split_at(place);
        assert_eq!(decode(&[head, tail]), Ok(expected.clone()), "split at {place}");
    }
}

#[test]
fn lines_end_in_any_of_three_ways() {
    check(
        b"data: a\n\ndata: b\r\n\r\ndata: c\r\rdata:d\n\r\n",
        &["a", "b", "c", "d"],
    );
}

#[test]
fn several_data_lines_are_one_event() {
    check(b"data: a\ndata\ndata:  b\n\n", &["a\n\n b"]);
}

#[test]
fn comments_and_other_fields_are_passed_over() {
    check(
        b"\xEF\xBB\xBFdata: a\n\n: ping\n\nevent: x\nid: 7\nretry: 9\nnonsense\ndatum: 1\n\ndata: b\n\n",
        &["a", "b"],
    );
}

#[test]
fn characters_split_over_chunks_are_whole() {
    check(
        "data: gr\u{fc}\u{df} \u{1f600}\n\n".as_bytes(),
        &["gr\u{fc}\u{df} \u{1f600}"],
    );
}

#[test]
fn bytes_that_are_no_text_are_marked() {
    check(b"data: a\xFFb\n\n", &["a\u{fffd}b"]);
}

#[test]
fn the_last_event_needs_no_empty_line() {
    check(b"data: a\n\ndata: [DONE]", &["a", "[DONE]"]);
    check(b"data: a\n", &["a"]);
    check(b"", &[]);
    check(b"\n\n\n", &[]);
}

#[test]
fn an_endless_line_is_refused() {
    let fits = [b"data: ".as_slice(), &vec![b'x'; MAX_LINE_BYTES - 7]].concat();
    assert_eq!(decode(&[&fits]).unwrap().len(), 1);
    let endless = vec![b'x'; MAX_LINE_BYTES + 1];
    assert_eq!(decode(&[&endless]), Err("too long".into()));
}

#[test]
fn an_endless_event_is_refused() {
    let line = [b"data: ".as_slice(), &vec![b'x'; MAX_LINE_BYTES / 2], b"\n"].concat();
    assert_eq!(decode(&[&line, &line]), Err("too long".into()));
}

#[test]
fn a_consumer_can_stop() {
    let mut decoder = SseDecoder::default();
    let outcome = decoder.feed(b"data: a\n\ndata: b\n\n", |data| {
        Err::<(), String>(data.to_owned())
    });
    assert_eq!(outcome, Err("a".into()));
}

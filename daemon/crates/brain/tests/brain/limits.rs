//! Servers that take too long or say too much: no wait is endless and no body grows memory.

use std::time::Duration;

use loquat_brain::{OpenAiBrain, OpenAiSettings};
use loquat_conversation::brain::{Brain, BrainError, WaitPhase};

use crate::server::{Act, Server};
use crate::support::*;

const MIB: usize = 1024 * 1024;

/// Kernel buffers on both sides and what is under way.
const SLACK: usize = 16 * MIB;

async fn times_out(acts: Vec<Act>, expected: WaitPhase, times: usize) {
    let server = Server::start(vec![acts]).await;
    let error = ask(&hasty(&server)).await.unwrap_err();
    assert!(
        matches!(error, BrainError::TimedOut { phase, .. } if phase == expected),
        "{error:?}"
    );
    server.until(|seen| seen.hung_up == times).await;
    assert_eq!(server.seen().asked.len(), times);
}

/// Expects the cap, met once, and that little more than the cap was ever read.
async fn is_too_much(acts: Vec<Act>, cap: usize) {
    let server = Server::start(vec![acts]).await;
    let error = ask(&brain(&server)).await.unwrap_err();
    assert!(
        matches!(error, BrainError::TooLarge { limit_bytes, .. } if limit_bytes == cap),
        "{error:?}"
    );
    server.until(|seen| seen.hung_up == 1).await;
    let seen = server.seen();
    assert_eq!(seen.asked.len(), 1);
    assert!(
        seen.bytes_written < cap + SLACK,
        "{} bytes were taken",
        seen.bytes_written
    );
}

fn endless(bytes: &[u8]) -> Act {
    Act::Repeat(bytes.to_vec(), Duration::ZERO)
}

fn unbounded_head() -> Act {
    Act::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec())
}

#[tokio::test]
async fn a_brain_that_never_answers() {
    times_out(vec![Act::Hang], WaitPhase::FirstToken, 1).await;
    times_out(vec![stream_head(), Act::Hang], WaitPhase::FirstToken, 1).await;
}

#[tokio::test]
async fn signs_of_life_are_no_token() {
    let pings = Act::Repeat(b"7\r\n: ping\n\r\n".to_vec(), Duration::from_millis(20));
    times_out(vec![stream_head(), pings], WaitPhase::FirstToken, 1).await;
}

#[tokio::test]
async fn a_stream_that_stalls_is_made_again() {
    times_out(
        vec![stream_head(), text("Lon"), Act::Hang],
        WaitPhase::NextToken,
        3,
    )
    .await;
    let server = Server::start(vec![
        vec![stream_head(), text("Lon"), Act::Hang],
        streamed(&["Paris"]),
    ])
    .await;
    let heard = Heard::new();
    ask_aloud(&hasty(&server), &heard).await.unwrap();
    assert_eq!(heard.so_far(), "Lon|Paris");
}

#[tokio::test]
async fn one_byte_at_a_time_is_no_progress() {
    let slow = Act::Repeat(b"1\r\nx\r\n".to_vec(), Duration::from_millis(20));
    times_out(vec![stream_head(), text("Lon"), slow], WaitPhase::NextToken, 3).await;
    let head = b"HTTP/1.1 200 OK\r\nx: ".to_vec();
    let slow_head = Act::Repeat(b"x".to_vec(), Duration::from_millis(20));
    times_out(vec![Act::Send(head), slow_head], WaitPhase::FirstToken, 1).await;
}

#[tokio::test]
async fn one_byte_at_a_time_is_taken_when_it_comes_in_time() {
    let bytes = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"Paris\"}}]}\n\ndata: [DONE]\n\n";
    let trickle = Act::Trickle(bytes.to_vec(), Duration::from_millis(1));
    let server = Server::start(vec![vec![trickle, Act::Close]]).await;
    assert_eq!(ask(&brain(&server)).await.unwrap().content, "Paris");
}

#[tokio::test]
async fn the_whole_is_bounded_with_all_its_retries() {
    let tokens = Act::Repeat(
        b"38\r\ndata: {\"choices\": [{\"delta\": {\"content\": \"and on \"}}]}\n\n\r\n".to_vec(),
        Duration::from_millis(20),
    );
    for (acts, max_retries) in [
        (vec![stream_head(), tokens], 0),
        (failure("500 Internal Server Error"), 1_000),
    ] {
        let server = Server::start(vec![acts]).await;
        let mut settings = OpenAiSettings {
            max_retries,
            ..settings(server.url())
        };
        settings.timeouts.whole = Duration::from_millis(600);
        let error = ask(&OpenAiBrain::new(settings).unwrap()).await.unwrap_err();
        assert!(
            matches!(
                error,
                BrainError::TimedOut {
                    phase: WaitPhase::Whole,
                    ..
                }
            ),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn a_plain_reply_that_never_comes() {
    let server = Server::start(vec![vec![Act::Hang]]).await;
    let mut settings = OpenAiSettings {
        stream: false,
        ..settings(server.url())
    };
    settings.timeouts.whole = Duration::from_millis(400);
    let error = ask(&OpenAiBrain::new(settings).unwrap()).await.unwrap_err();
    assert!(
        matches!(
            error,
            BrainError::TimedOut {
                phase: WaitPhase::Whole,
                ..
            }
        ),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_body_that_announces_a_gibibyte() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n".to_vec();
    is_too_much(vec![Act::Send(head), endless(&[b' '; 65536])], 8 * MIB).await;
}

#[tokio::test]
async fn a_document_without_end() {
    let document = Act::Send(b"{\"choices\": [{\"message\": {\"content\": \"".to_vec());
    is_too_much(vec![unbounded_head(), document, endless(&[b'a'; 65536])], 8 * MIB).await;
}

#[tokio::test]
async fn a_line_without_end() {
    let line = Act::Send(b"data: {\"choices\": \"".to_vec());
    is_too_much(vec![unbounded_head(), line, endless(&[b'a'; 65536])], MIB).await;
}

#[tokio::test]
async fn a_stream_without_end() {
    let token = "data: {\"choices\": [{\"delta\": {\"content\": \"and on\"}}]}\n\n".repeat(1_000);
    is_too_much(vec![unbounded_head(), endless(token.as_bytes())], 8 * MIB).await;
    let silence = ": nothing\n\n".repeat(5_000);
    is_too_much(
        vec![unbounded_head(), text_event(), endless(silence.as_bytes())],
        8 * MIB,
    )
    .await;
}

fn text_event() -> Act {
    Act::Send(b"data: {\"choices\": [{\"delta\": {\"content\": \"a\"}}]}\n\n".to_vec())
}

#[tokio::test]
async fn a_complaint_without_end() {
    let head = b"HTTP/1.1 500 No\r\nconnection: close\r\n\r\n".to_vec();
    let server = Server::start(vec![vec![Act::Send(head), endless(&[b'a'; 65536])]]).await;
    let error = ask(&brain(&server)).await.unwrap_err();
    assert!(matches!(error, BrainError::Faulty { .. }), "{error:?}");
    server.until(|seen| seen.hung_up == 3).await;
    assert!(server.seen().bytes_written < 3 * SLACK);
}

#[tokio::test]
async fn dropping_the_call_hangs_up() {
    let server = Server::start(vec![vec![stream_head(), text("Lon"), Act::Hang]]).await;
    let brain = brain(&server);
    let heard = Heard::new();
    let request = question();
    tokio::select! {
        reply = brain.chat(&request, &heard) => panic!("{reply:?}"),
        () = heard.until("Lon") => {}
    }
    server.until(|seen| seen.hung_up == 1).await;
    assert_eq!(server.seen().asked.len(), 1);
}

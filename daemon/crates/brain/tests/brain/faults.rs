//! Servers that fail: which error it is, whether it is tried again, and how soon.

use std::time::Duration;

use loquat_brain::{OpenAiBrain, OpenAiSettings};
use loquat_conversation::brain::{BrainError, WaitPhase};
use tokio::net::TcpListener;

use crate::server::{Act, Server};
use crate::support::*;

/// Serves the fault once, then a good reply, and expects that one.
async fn recovers(fault: Vec<Act>) -> Server {
    let server = Server::start(vec![fault, streamed(&["Paris"])]).await;
    assert_eq!(ask(&brain(&server)).await.unwrap().content, "Paris");
    assert_eq!(server.seen().asked.len(), 2);
    server
}

/// Serves the fault for ever and expects that it is met three times.
async fn gives_up(fault: Vec<Act>) -> BrainError {
    let server = Server::start(vec![fault]).await;
    let error = ask(&brain(&server)).await.unwrap_err();
    assert_eq!(server.seen().asked.len(), 3);
    assert!(error.is_transient());
    error
}

/// Serves the fault and expects that it is met once.
async fn gives_up_at_once(fault: Vec<Act>) -> (Server, BrainError) {
    let server = Server::start(vec![fault]).await;
    let error = ask(&brain(&server)).await.unwrap_err();
    assert_eq!(server.seen().asked.len(), 1, "{error}");
    (server, error)
}

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    match ask(&OpenAiBrain::new(settings(url.clone())).unwrap()).await {
        Err(BrainError::Unreachable { address, reason }) => {
            assert_eq!(address, url);
            assert!(reason.contains("refused"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_socket_that_is_not_there() {
    let brain = OpenAiBrain::new(settings("unix:/nowhere/brain.sock".into())).unwrap();
    let error = ask(&brain).await.unwrap_err();
    assert!(
        matches!(&error, BrainError::Unreachable { address, .. } if address == "unix:/nowhere/brain.sock"),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_host_that_does_not_answer_the_connection() {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    // Fills the queue of connections that are not accepted; the kernel then leaves further ones unanswered.
    let mut queue = Vec::new();
    while let Ok(Ok(stream)) = tokio::time::timeout(
        Duration::from_millis(200),
        tokio::net::TcpStream::connect(address),
    )
    .await
    {
        queue.push(stream);
    }
    let settings = settings(format!("http://{address}/v1"));
    let error = ask(&OpenAiBrain::new(settings).unwrap()).await.unwrap_err();
    assert!(
        matches!(
            error,
            BrainError::TimedOut {
                phase: WaitPhase::Connect,
                ..
            }
        ),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_server_error_passes() {
    let server = recovers(failure("500 Internal Server Error")).await;
    let asked = server.seen().asked;
    let pause = asked[1].at - asked[0].at;
    assert!(
        pause < Duration::from_millis(150),
        "the first pause took {pause:?}"
    );
    recovers(failure("502 Bad Gateway")).await;
    recovers(failure("503 Service Unavailable")).await;
}

#[tokio::test]
async fn a_server_error_stays() {
    let error = gives_up(failure("500 Internal Server Error")).await;
    assert!(
        matches!(&error, BrainError::Faulty { status: 500, message, .. } if message == "broken"),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_busy_server_is_given_the_time_it_asks_for() {
    let busy = answer("429 Too Many Requests", "retry-after: 0.3\r\n", "{}");
    let server = recovers(busy).await;
    let asked = server.seen().asked;
    assert!(asked[1].at - asked[0].at >= Duration::from_millis(300));
    let error = gives_up(answer("429 Too Many Requests", "", "{}")).await;
    assert!(
        matches!(error, BrainError::Overloaded { status: 429, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_busy_server_that_asks_for_too_much_is_given_up() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let (_, error) = gives_up_at_once(answer(status, "retry-after: 3600\r\n", "{}")).await;
        let an_hour = Some(Duration::from_secs(3600));
        assert!(
            matches!(error, BrainError::Overloaded { retry_after, .. } if retry_after == an_hour),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn a_refusal_is_not_argued_with() {
    for status in [
        "400 Bad Request",
        "401 Unauthorized",
        "403 Forbidden",
        "404 Not Found",
        "422 No",
    ] {
        let (_, error) = gives_up_at_once(failure(status)).await;
        assert!(
            matches!(&error, BrainError::Refused { message, .. } if message.contains("broken")),
            "{error:?}"
        );
        assert!(!error.is_transient());
    }
}

#[tokio::test]
async fn a_conversation_that_is_too_long() {
    let body = r#"{"error": {"message": "no", "code": "context_length_exceeded"}}"#;
    let (_, error) = gives_up_at_once(answer("400 Bad Request", "", body)).await;
    assert!(matches!(error, BrainError::ContextTooLong { .. }), "{error:?}");
}

#[tokio::test]
async fn a_stream_that_is_cut_off() {
    let cut = |acts: &[Act]| [&[stream_head(), text("Lon")], acts].concat();
    let half_chunk = cut(&[Act::Send(b"40\r\ndata: {\"cho".to_vec()), Act::Close]);
    let half_event = cut(&[chunk(b"data: {\"cho"), Act::Send(b"0\r\n\r\n".to_vec())]);
    let no_end = cut(&[Act::Send(b"0\r\n\r\n".to_vec())]);
    for fault in [half_chunk, half_event, no_end] {
        let server = Server::start(vec![fault.clone(), streamed(&["Paris"])]).await;
        let heard = Heard::new();
        let reply = ask_aloud(&brain(&server), &heard).await.unwrap();
        assert_eq!(
            (reply.content.as_str(), heard.so_far().as_str()),
            ("Paris", "Lon|Paris")
        );
        let error = gives_up(fault).await;
        assert!(matches!(error, BrainError::CutOff { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_document_that_is_cut_off() {
    let cut = vec![
        Act::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"choices\": [{\"mess".to_vec()),
        Act::Close,
    ];
    assert!(matches!(gives_up(cut).await, BrainError::CutOff { .. }));
}

#[tokio::test]
async fn a_connection_that_closes_before_the_reply() {
    let error = gives_up(vec![Act::Close]).await;
    assert!(matches!(error, BrainError::CutOff { .. }), "{error:?}");
}

#[tokio::test]
async fn garbage_instead_of_a_reply() {
    let ok = |body: &str| answer("200 OK", "", body);
    let no_http = vec![Act::Send(b"SSH-2.0-OpenSSH_9.2p1\r\n".to_vec()), Act::Close];
    for fault in [
        ok(""),
        ok("<html>gateway</html>"),
        ok("upstream is gone"),
        ok("{\"choices\": 7}"),
        ok("data: what\n\n"),
        answer("200 OK", "content-type: image/png\r\n", "\u{1}PNG\r\n"),
        no_http,
    ] {
        recovers(fault.clone()).await;
        let error = gives_up(fault).await;
        assert!(matches!(error, BrainError::Garbled { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_complaint_in_the_middle_of_a_stream() {
    let complaint = |body: &str| {
        vec![
            stream_head(),
            text("Lon"),
            chunk(format!("data: {body}\n\n").as_bytes()),
        ]
    };
    let server = Server::start(vec![
        complaint(r#"{"error": {"message": "broken", "code": 500}}"#),
        streamed(&["Paris"]),
    ])
    .await;
    let heard = Heard::new();
    ask_aloud(&brain(&server), &heard).await.unwrap();
    assert_eq!(heard.so_far(), "Lon|Paris");

    let too_long = complaint(r#"{"error": {"message": "no", "code": "context_length_exceeded"}}"#);
    let (_, error) = gives_up_at_once(too_long).await;
    assert!(matches!(error, BrainError::ContextTooLong { .. }), "{error:?}");
}

#[tokio::test]
async fn a_redirect_to_another_host_is_not_followed() {
    let elsewhere = Server::start(vec![plain("stolen")]).await;
    let location = format!("location: {}/chat/completions\r\n", elsewhere.url());
    let (_, error) = gives_up_at_once(answer("307 Temporary Redirect", &location, "")).await;
    assert!(
        matches!(&error, BrainError::Refused { status: 307, message, .. } if message.contains("api_url")),
        "{error:?}"
    );
    assert_eq!(elsewhere.seen().connections, 0);
}

#[tokio::test]
async fn a_redirect_on_the_same_host_is_followed_a_few_times() {
    let moved = answer("308 Permanent Redirect", "location: /v2/chat\r\n", "");
    let server = Server::start(vec![moved.clone(), plain("Paris")]).await;
    assert_eq!(ask(&brain(&server)).await.unwrap().content, "Paris");
    let asked = &server.seen().asked[1];
    assert!(asked.head.starts_with("POST /v2/chat") && asked.body["model"] == "test-model");

    let round = Server::start(vec![moved]).await;
    assert!(matches!(
        ask(&brain(&round)).await,
        Err(BrainError::Refused { status: 308, .. })
    ));
    assert!(round.seen().asked.len() < 6);
}

#[tokio::test]
async fn retries_can_be_switched_off() {
    let server = Server::start(vec![failure("500 no"), plain("Paris")]).await;
    let brain = OpenAiBrain::new(OpenAiSettings {
        max_retries: 0,
        ..settings(server.url())
    });
    assert!(ask(&brain.unwrap()).await.is_err());
    assert_eq!(server.seen().asked.len(), 1);
}

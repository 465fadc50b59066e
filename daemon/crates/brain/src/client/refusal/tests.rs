//! Complaints of the usual servers, and what of them may be shown.

use loquat_conversation::brain::ChatMessage;

use super::*;

const KEY: &str = "sk-canary-0123456789";

fn words(body: &str) -> ServerWords {
    ServerWords::read(body)
}

fn refused(status: u16, retry_after: Option<u64>, body: &str) -> Fault {
    let request = ChatRequest {
        messages: vec![
            ChatMessage::user("please water the tomatoes behind the shed").into(),
            ChatMessage::user("a secret").into(),
        ],
        ..ChatRequest::default()
    };
    let circumstance = Circumstance {
        address: "http://h/v1",
        model: "m",
        key: Some(KEY),
        request: &request,
        retry_after_cap: Duration::from_secs(5),
    };
    circumstance.refused(status, retry_after.map(Duration::from_secs), &words(body))
}

fn message(fault: &Fault) -> String {
    match &fault.error {
        BrainError::Refused { message, .. } | BrainError::Faulty { message, .. } => message.clone(),
        other => panic!("{other:?} has no words"),
    }
}

#[test]
fn a_conversation_that_is_too_long_is_told_from_other_refusals() {
    for (status, body) in [
        (
            400,
            r#"{"error": {"message": "no", "code": "context_length_exceeded"}}"#,
        ),
        (
            400,
            r#"{"error": {"code": 400, "message": "the request exceeds the available context size", "type": "exceed_context_size_error"}}"#,
        ),
        (
            400,
            "This model's maximum context length is 4096 tokens. However, you requested 5000",
        ),
        (422, r#"{"message": "prompt is too long: 9 tokens > 8 maximum"}"#),
        (500, "Requested tokens (600) exceed context window of 512"),
        (413, ""),
    ] {
        let fault = refused(status, None, body);
        assert_eq!(fault.again, Again::No);
        assert!(
            matches!(fault.error, BrainError::ContextTooLong { .. }),
            "{body}: {fault:?}"
        );
    }
    let other = refused(400, None, r#"{"error": {"message": "bad temperature"}}"#);
    assert!(matches!(other.error, BrainError::Refused { status: 400, .. }));
}

#[test]
fn overload_is_waited_for_as_long_as_the_server_asks_within_reason() {
    let cases = [
        (429, None, Again::Soon),
        (429, Some(5), Again::After(Duration::from_secs(5))),
        (429, Some(6), Again::No),
        (503, Some(1), Again::After(Duration::from_secs(1))),
        (529, None, Again::Soon),
    ];
    for (status, seconds, again) in cases {
        let fault = refused(status, seconds, "busy");
        assert_eq!(fault.again, again, "{status} {seconds:?}");
        assert!(matches!(fault.error, BrainError::Overloaded { .. }));
    }
    let loading = refused(503, None, r#"{"error": {"message": "Loading model"}}"#);
    assert_eq!(
        (message(&loading).as_str(), loading.again),
        ("Loading model", Again::Soon)
    );
    let poor = refused(
        429,
        Some(1),
        r#"{"error": {"message": "no", "code": "insufficient_quota"}}"#,
    );
    assert_eq!(
        (message(&poor).as_str(), poor.again),
        ("no (check the account's quota)", Again::No)
    );
}

#[test]
fn refusals_name_the_mend() {
    assert_eq!(message(&refused(401, None, "no")), "no (check this brain's key)");
    assert_eq!(
        message(&refused(
            404,
            None,
            r#"{"error": {"message": "model x not found"}}"#
        )),
        r#"model x not found (check the model's name, "m")"#
    );
    assert!(message(&refused(404, None, "")).contains("api_url"));
    assert!(message(&refused(307, None, "")).contains("api_url"));
}

#[test]
fn keys_are_masked_whole_and_in_part() {
    for body in [
        format!("Incorrect API key provided: {KEY}."),
        format!("Bearer:{KEY},x is wrong"),
        "Incorrect API key provided: sk-c***********6789.".to_owned(),
        "Incorrect key (sk-can...789)".to_owned(),
    ] {
        let shown = message(&refused(401, None, &body));
        assert!(shown.contains("[key]") && !shown.contains("789"), "{shown}");
    }
}

#[test]
fn what_was_said_is_not_repeated() {
    for body in [
        "cannot parse 'please water the   tomatoes behind the shed'",
        "tomatoes behind the shed are not text",
        "what is a secret?",
    ] {
        let shown = message(&refused(400, None, body));
        assert!(
            shown.contains("withheld") && !shown.contains("tomatoes"),
            "{shown}"
        );
    }
}

#[test]
fn words_are_one_short_line() {
    let shown = message(&refused(500, None, &"long\n\u{1b}[31m \u{fc}".repeat(100)));
    assert!(
        shown.chars().count() <= MAX_WORDS + 1 && shown.ends_with('…'),
        "{shown}"
    );
    assert!(!shown.contains(char::is_control));
}

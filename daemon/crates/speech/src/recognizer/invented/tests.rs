//! What whisper invented in earnest, and what people say that looks like it.

use super::*;

const SURE: Evidence = Evidence {
    confidence: 0.9,
    no_speech: 0.0,
    seconds: 3.0,
};
const UNSURE: Evidence = Evidence {
    confidence: 0.5,
    ..SURE
};

fn heard(text: &str, evidence: Evidence) -> Option<String> {
    spoken(text, evidence)
}

#[test]
fn remarks_and_signs_are_no_words() {
    for text in [
        "",
        " ",
        " [BLANK_AUDIO]",
        " (water running)",
        " [Bell]",
        "(music",
        " ♪♪",
        "♪ la la la ♪",
        "*sighs*",
        "...",
        " .",
        "- -",
        "( ( ( ( ( (",
    ] {
        assert_eq!(heard(text, SURE), None, "{text:?}");
    }
}

#[test]
fn words_beside_a_remark_stay() {
    let expected = Some("Turn on the light.".to_owned());
    assert_eq!(
        heard(" (door closes) Turn on  the light. [BLANK_AUDIO]", SURE),
        expected
    );
    assert_eq!(heard(" - Turn on the light.", SURE), expected);
    assert_eq!(heard(">> Turn on the light.", SURE), expected);
}

#[test]
fn what_people_say_passes() {
    for text in [
        "What is 17% of 2,450?",
        "Stop.",
        "No, no, no!",
        "Call 5 5 5 5.",
        "Play the song thank you by Dido.",
        "Untertitle the movie.",
        "What does -5 plus 3 make?",
    ] {
        assert_eq!(heard(text, SURE).as_deref(), Some(text));
    }
}

#[test]
fn thanks_count_only_when_they_were_heard_clearly() {
    for text in ["Thank you.", " you", "Bye.", "I'm sorry.", "Okay."] {
        assert_eq!(heard(text, SURE).as_deref(), Some(text.trim()));
        assert_eq!(heard(text, UNSURE), None, "{text}");
        assert_eq!(
            heard(
                text,
                Evidence {
                    no_speech: 0.8,
                    ..SURE
                }
            ),
            None,
            "{text}"
        );
    }
    assert!(heard("Thank you for the music.", UNSURE).is_some());
}

#[test]
fn credits_never_count() {
    for text in [
        "Thanks for watching!",
        "Please subscribe to my channel.",
        "Subtitles by the Amara.org community",
        "Untertitel der Amara.org-Community",
        "ご視聴ありがとうございました",
        "Субтитры сделал DimaTorzok",
    ] {
        assert_eq!(heard(text, SURE), None, "{text}");
    }
}

#[test]
fn a_loop_is_found_whatever_its_length() {
    for text in [
        "go go go go go go go",
        "the end of the end of the end of the end of the end of the end of",
        "Turn it on. I said turn it on. I said turn it on. I said turn it on. I said turn it on. I said turn it on.",
        "( ( ( ( ( ( ( ( ( ( ( ( ( ( (",
    ] {
        assert!(repeats(text), "{text}");
    }
    for text in [
        "no no no no",
        "one two three one two three one two three",
        "Bora Bora",
        "",
    ] {
        assert!(!repeats(text), "{text}");
    }
}

#[test]
fn a_guess_and_a_torrent_of_words_are_refused() {
    assert_eq!(
        heard(
            "Burn the kitchen.",
            Evidence {
                confidence: 0.2,
                ..SURE
            }
        ),
        None
    );
    let torrent = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
    assert_eq!(heard(torrent, Evidence { seconds: 2.0, ..SURE }), None);
    assert!(heard(torrent, Evidence { seconds: 6.0, ..SURE }).is_some());
    assert!(heard("What time is it?", Evidence { seconds: 0.4, ..SURE }).is_some());
}

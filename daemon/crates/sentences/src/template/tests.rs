//! What templates are made of, and what is said of those that are wrong.

use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Piece {
    Piece::Words(text.to_owned())
}

fn root(text: &str) -> Piece {
    Template::read(text, Spelling::Community).unwrap().root
}

#[test]
fn each_word_keeps_the_spaces_around_it() {
    assert_eq!(
        root(" turn on light "),
        Piece::Sequence(vec![words("turn "), words("on "), words("light")])
    );
    let Piece::Sequence(parts) = root("(a|b) to my") else {
        panic!("a sequence")
    };
    assert_eq!(parts[1..], [words(" to "), words("my")]);
}

#[test]
fn choices_may_be_empty_or_left_out() {
    let choice = Piece::Either(
        vec![
            Piece::Sequence(vec![words(" ")]),
            Piece::Sequence(vec![words("-")]),
        ],
        Kind::Required,
    );
    assert_eq!(root("( |-)"), choice);
    let parts = vec![Piece::Sequence(vec![words("s")]), words("")];
    let optional = Piece::Either(parts, Kind::Optional);
    assert_eq!(root("light[s]"), Piece::Sequence(vec![words("light"), optional]));
}

#[test]
fn parts_in_any_order_have_spaces_around_them() {
    let part = |text| Piece::Sequence(vec![words(" "), words(text), words(" ")]);
    assert_eq!(root("(a;b)"), Piece::AnyOrder(vec![part("a"), part("b")]));
}

#[test]
fn a_slot_knows_its_list_and_whether_a_space_follows() {
    let slot = |list: &str, slot: &str, ends_word| Piece::Slot {
        list: list.into(),
        slot: slot.into(),
        ends_word,
    };
    let parts = vec![
        slot("name", "name", false),
        slot("area", "place", true),
        words(" x"),
    ];
    assert_eq!(root("{name}{area:place} x"), Piece::Sequence(parts));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let told = |text: &str| {
        let error = Template::read(text, Spelling::Community).unwrap_err();
        (error.at, error.expected, error.found)
    };
    let told_is = |at: usize, expected: &str, found: &str| (at, expected.to_owned(), found.to_owned());
    assert_eq!(told("turn (on|off"), told_is(13, "`)`", "the end"));
    assert_eq!(told("turn [on)"), told_is(9, "`]`", "`)`"));
    assert_eq!(
        told("turn on)"),
        told_is(8, "no `)` without its beginning", "`)`")
    );
    assert_eq!(told("{na(me}"), told_is(4, "a name and `}`", "`(`"));
    assert_eq!(told("<>"), told_is(2, "a name", "`>`"));
    assert_eq!(told("()").1, "something between the brackets");
    assert_eq!(
        told("(a|b;c)"),
        told_is(5, "either `|` or `;` between the parts of one group", "`;`")
    );
    assert_eq!(told("").1, "a sentence");
}

#[test]
fn hostile_templates_are_refused() {
    for text in [
        "(".repeat(100_000),
        "[a".repeat(5_000) + &"]".repeat(5_000),
        "a;".repeat(50),
        "a ".repeat(50_000),
    ] {
        assert!(Template::read(&text, Spelling::Community).is_err());
    }
}

fn templates() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-zä]{1,5}",
        Just(" ".to_owned()),
        Just("{name}".into()),
        Just("{a:b}".into()),
        Just("<r>".into())
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let list = prop::collection::vec(inner, 1..4);
        prop_oneof![
            list.clone().prop_map(|parts| parts.concat()),
            list.clone().prop_map(|parts| format!("({})", parts.join("|"))),
            list.clone().prop_map(|parts| format!("[{}]", parts.join("|"))),
            list.prop_map(|parts| format!("({})", parts.join(";"))),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[ -~]{0,60}|[(){}<>\\[\\]|;a \\\\]{0,40}") {
        drop(Template::read(&text, Spelling::Community));
    }

    #[test]
    fn what_is_well_formed_is_read(text in templates()) {
        prop_assert!(text.trim().is_empty() || Template::read(&text, Spelling::Community).is_ok());
    }

    #[test]
    fn words_alone_are_shown_as_they_were(text in "[a-z]{1,8}( [a-z]{1,8}){0,5}") {
        prop_assert_eq!(Template::read(&text, Spelling::Community).unwrap().to_string(), text);
    }
}

#[test]
fn a_template_stands_for_plain_sentences() {
    let template = Template::read("(show|list) [(my|the)] {what} [now]", Spelling::Words).unwrap();
    let sentences = template.sentences(100);
    assert_eq!(sentences.len(), 12);
    for wanted in ["show my {what} now", "list {what}"] {
        assert!(
            sentences.iter().any(|sentence| sentence == wanted),
            "{sentences:?}"
        );
    }
    assert_eq!(template.sentences(5).len(), 5);
}

#[test]
fn broken_templates_of_words_are_none() {
    let deep = "(".repeat(50);
    for text in ["", "   ", "(a|b", "a)", "{", "{}", "[", deep.as_str()] {
        assert!(Template::read(text, Spelling::Words).is_err(), "{text}");
    }
    for text in ["a; <b> \\ c", "()", "a [(|b)]", "{{x}} {y:z}"] {
        assert!(Template::read(text, Spelling::Words).is_ok(), "{text}");
    }
}

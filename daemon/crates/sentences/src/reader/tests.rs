//! Every construct of the sentences, read and not read.

use proptest::prelude::*;

use super::*;
use crate::context::{Allowed, Requirement};
use crate::home::Name;
use crate::reading::best;
use crate::source::{Block, EmptyPart, Fractions, Intent, List, ListValue, Source, Undeclared};

/// A language of one block, with some lists and rules.
fn source(sentences: &[&str]) -> Source {
    let value = |said: &str, value: Value| ListValue {
        value: Some(value),
        ..ListValue::new(said)
    };
    let lists = [
        ("name", List::Home),
        ("area", List::Home),
        (
            "color",
            List::Values(vec![
                value("[dark ]red", "r".into()),
                value("blue", "b".into()),
                value("(sea;green)", "g".into()),
            ]),
        ),
        (
            "kinds",
            List::Values(vec![value(
                "blinds",
                Value::AnyOf(vec!["blind".into(), "shade".into()]),
            )]),
        ),
        ("minutes", List::Numbers(Numbers::between(1, 100))),
        (
            "degrees",
            List::Numbers(Numbers {
                fractions: Fractions::Halves,
                ..Numbers::between(0, 100)
            }),
        ),
        (
            "kelvin",
            List::Numbers(Numbers {
                step: 100,
                ..Numbers::between(1_000, 10_000)
            }),
        ),
        (
            "less",
            List::Numbers(Numbers {
                multiplier: Some(-1.0),
                ..Numbers::between(0, 100)
            }),
        ),
        ("item", List::Open),
    ];
    Source {
        language: "en".into(),
        skip_words: vec!["please".into(), "could you".into()],
        lists: lists
            .into_iter()
            .map(|(name, list)| (name.to_owned(), list))
            .collect(),
        rules: [("the", "(the|my)"), ("lamp", "<the> lamp[s]")]
            .map(|(name, rule)| (name.to_owned(), rule.to_owned()))
            .into(),
        intents: vec![Intent {
            name: "do".into(),
            blocks: vec![Block {
                sentences: sentences.iter().map(|text| (*text).to_owned()).collect(),
                ..Block::default()
            }],
        }],
        ..Source::default()
    }
}

fn language(sentences: &[&str]) -> Language {
    built(&source(sentences))
}

fn built(source: &Source) -> Language {
    let (language, complaints) = Language::build(source);
    assert!(complaints.is_empty(), "{complaints:?}");
    language
}

fn home() -> Home {
    let names = [
        ("lamp", "light"),
        ("lamp two", "light"),
        ("front-door", "lock"),
        ("Mr. Fan", "fan"),
    ];
    Home::new()
        .with_names(
            "name",
            names.map(|(name, domain)| Name::new(name).with("domain", domain)),
        )
        .with_names(
            "area",
            [Name {
                value: "k".into(),
                ..Name::new("Kitchen")
            }],
        )
}

/// The slots of the best reading, or nothing.
fn slots(language: &Language, text: &str) -> Option<String> {
    let understood = language.read(text, &home());
    assert_eq!(understood.end, End::Complete);
    let reading = best(&understood.readings)?;
    let told = reading
        .slots
        .iter()
        .map(|slot| format!("{}={}", slot.name, slot.value));
    Some(told.collect::<Vec<_>>().join(" "))
}

/// Asserts what each text is read as; `-` is not read.
fn assert_read(sentence: &str, texts: &[(&str, &str)]) {
    let language = language(&[sentence]);
    for (text, wanted) in texts {
        let got = slots(&language, text);
        assert_eq!(got.as_deref().unwrap_or("-"), *wanted, "`{text}` by `{sentence}`");
    }
}

#[test]
fn alternatives_and_optionals() {
    assert_read(
        "turn (on|off) [the] light[s]",
        &[
            ("turn on light", ""),
            ("Turn OFF the lights!", ""),
            ("turn the light", "-"),
            ("turn on the lightss", "-"),
        ],
    );
    assert_read("go ( |-)on", &[("go on", ""), ("go -on", "")]);
    assert_read("schalt(e|) ein", &[("schalte ein", ""), ("schalt ein", "")]);
}

#[test]
fn an_empty_part_never_fits_where_the_community_is_read() {
    let source = Source {
        empty_part: EmptyPart::Never,
        ..source(&["schalt(e|) ein"])
    };
    assert_eq!(slots(&built(&source), "schalt ein"), None);
    assert_eq!(slots(&built(&source), "schalte ein").as_deref(), Some(""));
}

#[test]
fn any_order_and_rules() {
    assert_read(
        "(turn;<lamp>;on)",
        &[
            ("turn my lamps on", ""),
            ("on turn the lamp", ""),
            ("turn on", "-"),
        ],
    );
}

#[test]
fn names_are_found_in_the_home() {
    assert_read(
        "[turn ]{name} on",
        &[
            ("turn lamp two on", "name=lamp two"),
            ("front-door on", "name=front-door"),
            ("mr fan on", "name=Mr. Fan"),
            ("desk on", "-"),
        ],
    );
    assert_read("l'{area}", &[("L’Kitchen", "area=k"), ("l' kitchen", "area=k")]);
}

#[test]
fn hyphens_count_as_spaces_where_words_do_not_fit_otherwise() {
    assert_read(
        "turn lamp two on",
        &[("turn lamp-two on", ""), ("turn lamp_two-on", "")],
    );
}

#[test]
fn values_may_be_templates() {
    assert_read(
        "make it {color:shade}",
        &[
            ("make it dark red", "shade=r"),
            ("make it blue", "shade=b"),
            ("make it green sea", "shade=g"),
            ("make it black", "-"),
        ],
    );
    assert_read("open the {kinds}", &[("open the blinds", "kinds=blind, shade")]);
}

#[test]
fn numbers_are_read_in_digits_and_words() {
    assert_read(
        "{minutes} minute[s]",
        &[
            ("5 minutes", "minutes=5"),
            ("twenty-one minutes", "minutes=21"),
            ("twenty one minutes", "minutes=21"),
            ("0 minutes", "-"),
            ("101 minutes", "-"),
            ("5.5 minutes", "-"),
        ],
    );
    assert_read(
        "to {degrees}[%| degrees]",
        &[
            ("to 20.5", "degrees=20.5"),
            ("to 20,5%", "degrees=20.5"),
            ("to 21 %", "degrees=21"),
            ("to 20.3", "-"),
            ("to one point five degrees", "degrees=1.5"),
        ],
    );
    assert_read(
        "{kelvin} kelvin",
        &[("2700 kelvin", "kelvin=2700"), ("2750 kelvin", "-")],
    );
    assert_read(
        "down by {less}",
        &[("down by 20", "less=-20"), ("down by twenty", "less=-20")],
    );
    assert_read("row {3..7,2:row}", &[("row 5", "row=5"), ("row six", "-")]);
}

#[test]
fn open_text_goes_up_to_what_fits_next() {
    assert_read(
        "add {item} to my list",
        &[
            ("add milk to my list", "item=milk"),
            ("add a map to Rome to my list", "item=a map to Rome"),
            ("add to my list", "-"),
        ],
    );
    assert_read(
        "remind me {item} in {minutes} minutes",
        &[("remind me to eat in 5 minutes", "item=to eat minutes=5")],
    );
    assert_read(
        "play {item} {color}",
        &[("play a song blue", "item=a song color=b")],
    );
}

#[test]
fn readings_tell_where_each_slot_was_said() {
    let language = language(&["set {name} to {degrees}", "say {item}"]);
    let understood = language.read("please set lamp two to 20.5!", &home());
    let reading = best(&understood.readings).unwrap();
    let said: Vec<&str> = reading
        .slots
        .iter()
        .map(|slot| &understood.text[slot.span.clone().unwrap()])
        .collect();
    assert_eq!(
        (said, reading.literal, reading.open),
        (vec!["lamp two", "20.5"], 5, 0)
    );
    let open = language.read("say so", &home());
    assert_eq!(
        (
            open.readings[0].open,
            open.readings[0].open_letters,
            open.readings[0].slots[0].origin
        ),
        (1, 2, Origin::Open)
    );
    assert!(language.read_closed("say so", &home()).readings.is_empty());
}

#[test]
fn skip_words_are_dropped_but_not_out_of_open_text() {
    assert_read(
        "turn it on",
        &[
            ("could you please turn it please on", ""),
            ("pleased turn it on", "-"),
        ],
    );
    assert_read("say {item}", &[("please say please", "item=please")]);
    assert_read("{item} now", &[("please wait now please", "item=please wait")]);
    assert_read("please me", &[("please me", "")]);
}

#[test]
fn context_is_required_and_becomes_a_slot() {
    let mut source = source(&["turn on {name}", "turn on the lights"]);
    let block = &mut source.intents[0].blocks[0];
    block.requires = vec![Requirement {
        key: "domain".into(),
        allowed: Allowed::OneOf(vec!["light".into()]),
        slot: None,
    }];
    block.slots = vec![("kind".into(), "x".into())];
    let language = built(&source);
    assert_eq!(
        slots(&language, "turn on lamp").as_deref(),
        Some("name=lamp kind=x")
    );
    assert_eq!(slots(&language, "turn on front-door"), None);
    assert_eq!(slots(&language, "turn on the lights"), None);
    source.intents[0].blocks[0].requires = vec![Requirement {
        key: "area".into(),
        allowed: Allowed::Anything,
        slot: Some("area".into()),
    }];
    let language = built(&source);
    assert_eq!(slots(&language, "turn on the lights"), None);
    let here = language.read("turn on the lights", &home().with_context("area", "k"));
    assert_eq!(
        here.readings[0].slot("area").map(|slot| slot.origin),
        Some(Origin::Context)
    );
    let asked = Asked {
        expected: Context::new().with("area", "other"),
        ..Asked::default()
    };
    let there = language.read_as("turn on the lights", &home(), &asked);
    assert_eq!(
        there.readings[0].slot("area").map(|slot| slot.value.clone()),
        Some("other".into())
    );
}

#[test]
fn white_space_may_count_for_nothing() {
    let mut source = source(&["打开{area}灯"]);
    source.ignore_whitespace = true;
    let home = Home::new().with_names("area", [Name::new("客厅")]);
    let understood = built(&source).read("打 开客厅 灯", &home);
    assert_eq!(understood.readings.len(), 1, "{understood:?}");
}

#[test]
fn templates_of_ovos_are_read() {
    let source = Source {
        undeclared: Undeclared::Words,
        ..source(&["(tell|show) me [about] {thing}", "what is {thing}"])
    };
    let language = built(&source);
    assert_eq!(
        slots(&language, "tell me about the weather in Paris").as_deref(),
        Some("thing=the weather in Paris")
    );
    assert_eq!(slots(&language, "what is love").as_deref(), Some("thing=love"));
}

#[test]
fn lists_and_rules_may_be_local() {
    let mut source = source(&["paint <it> {color}"]);
    let block = &mut source.intents[0].blocks[0];
    block
        .lists
        .insert("color".into(), List::Values(vec![ListValue::new("pink")]));
    block.rules.insert("it".into(), "(it|this)".into());
    let language = built(&source);
    assert_eq!(slots(&language, "paint this pink").as_deref(), Some("color=pink"));
    assert_eq!(slots(&language, "paint this blue"), None);
}

#[test]
fn what_cannot_be_compiled_is_left_out_and_told() {
    let mut source = source(&["turn (on", "{nothing}", "<nothing>", "<round>", "{wheel}", "good"]);
    source.rules.insert("round".into(), "a <round>".into());
    source
        .lists
        .insert("wheel".into(), List::Values(vec![ListValue::new("[{wheel}]")]));
    let (language, complaints) = Language::build(&source);
    let told: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 5, "{told:?}");
    assert!(
        told[0].starts_with("do, block 1: `turn (on`: failed to read a template at letter 9: expected `)`"),
        "{told:?}"
    );
    assert!(
        told[1].contains("the list `nothing`; there are area, color"),
        "{told:?}"
    );
    assert_eq!(slots(&language, "good").as_deref(), Some(""));
}

#[test]
fn the_best_has_the_longest_name_then_least_open_text_then_most_literal_words() {
    let language = language(&["turn on {name}", "turn on {item}", "turn {item}", "{name} two on"]);
    assert_eq!(
        slots(&language, "turn on lamp two").as_deref(),
        Some("name=lamp two")
    );
    assert_eq!(slots(&language, "turn on it").as_deref(), Some("item=it"));
}

#[test]
fn hostile_templates_and_texts_end() {
    let optional = "[a ]".repeat(900);
    let nested = "(a|b ".repeat(39) + "c" + &")".repeat(39);
    let any_order = "([a][b];[a][c];[b][c];[a][b];[c];[a];[b];[a])".repeat(3);
    let open = "{item} [a] ".repeat(60);
    let language = language(&[&optional, &nested, &any_order, &open]);
    for text in [
        "a ".repeat(990),
        "a b c ".repeat(300),
        "a".repeat(100_000),
        String::new(),
        " .".repeat(900),
    ] {
        let understood = language.read(&text, &home());
        assert!(understood.readings.len() < 10_000);
    }
    assert_eq!(language.read(&"a ".repeat(50_000), &home()).end, End::TooLong);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_is_read_without_harm(text in "\\PC{0,40}|[a-z .'-]{0,60}") {
        let language = language(&["{item} [to] {minutes} (on|off)", "turn {name} {degrees}%", "(a;{color};{item} b)"]);
        let understood = language.read(&text, &home());
        for slot in understood.readings.iter().flat_map(|reading| &reading.slots) {
            prop_assert!(slot.span.clone().is_none_or(|span| understood.text.get(span).is_some()));
        }
    }
}

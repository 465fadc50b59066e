//! The head of a model file: what is told of it is short and steers no terminal.

use loquat_models::GgufFacts;

pub(crate) fn feed(bytes: &[u8]) {
    let Ok(Some(facts)) = GgufFacts::of(bytes) else {
        return;
    };
    let shown = [
        Some(&facts.architecture),
        facts.name.as_ref(),
        facts.licence.as_ref(),
    ];
    for text in shown.into_iter().flatten() {
        assert!(
            text.len() <= 400 && !text.contains(char::is_control),
            "it may be shown"
        );
    }
    facts.takes_tools();
    facts.thinking();
}

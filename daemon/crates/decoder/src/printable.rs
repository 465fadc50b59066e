//! Text that a terminal shows and a voice reads as it stands: without control characters, whatever its source. Never
//! changes anything else.

use std::borrow::Cow;

/// Tells whether a character orders a terminal about or turns the order of what is shown: the controls of ASCII and
/// of Latin-1 except line ends and tabs, and those that embed, override or isolate a direction of writing.
pub fn is_control(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    }
}

/// Takes control characters out of a text. One that parts words becomes a space. Its time is linear in the text.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' => plain.push(' '),
            _ if is_control(character) => {}
            _ => plain.push(character),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_orders_a_terminal_about_is_gone_and_all_else_stays() {
        for (written, shown) in [
            ("\u{1b}]52;c;aGVsbG8=\u{7}Hi\u{1b}[2J", "]52;c;aGVsbG8=Hi[2J"),
            ("\u{9b}31mred\u{9d}0;title\u{9c}", "31mred0;title"),
            ("over\rwritten\r\nnext\u{8}\u{7f}", "over written\nnext"),
            ("pay \u{202e}mum\u{202c} \u{2066}now\u{2069}", "pay mum now"),
            ("\u{0}", ""),
        ] {
            assert_eq!(printable(written), shown);
        }
        for plain in ["", "a\tb\nc", "čaj 茶 שלום می\u{200c}خواهم 👩\u{200d}🍳"] {
            assert!(matches!(printable(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    proptest! {
        #[test]
        fn none_is_left(text in "\\PC{0,20}(\\r|\\x1b|[\\x00-\\u{ff}]|[\\u{2000}-\\u{2070}]){0,40}") {
            let plain = printable(&text);
            prop_assert!(!plain.contains(is_control));
            prop_assert_eq!(printable(&plain), plain.clone());
        }
    }
}

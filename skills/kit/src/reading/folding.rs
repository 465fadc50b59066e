//! Texts as they are compared: without case, accents and separators.
//!
//! Knows Latin letters only; texts in other scripts compare by case alone.

/// The text in lower case, without accents, its words separated by single spaces.
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars().flat_map(char::to_lowercase) {
        if character.is_whitespace() || matches!(character, '_' | '-' | ',' | '.' | '\'' | '\u{2019}') {
            if !folded.is_empty() && !folded.ends_with(' ') {
                folded.push(' ');
            }
        } else {
            push_plain(&mut folded, character);
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Adds a letter in lower case without its accent.
pub(crate) fn push_plain(text: &mut String, character: char) {
    let plain = match character {
        '\u{e0}'..='\u{e5}' | '\u{101}' | '\u{103}' | '\u{105}' => "a",
        '\u{e6}' => "ae",
        '\u{e7}' | '\u{107}' | '\u{10d}' => "c",
        '\u{f0}' | '\u{10f}' | '\u{111}' => "d",
        '\u{e8}'..='\u{eb}' | '\u{113}' | '\u{117}' | '\u{119}' | '\u{11b}' => "e",
        '\u{11f}' => "g",
        '\u{ec}'..='\u{ef}' | '\u{12b}' | '\u{131}' => "i",
        '\u{142}' => "l",
        '\u{f1}' | '\u{144}' | '\u{148}' => "n",
        '\u{f2}'..='\u{f6}' | '\u{f8}' | '\u{14d}' | '\u{151}' => "o",
        '\u{159}' => "r",
        '\u{15b}' | '\u{15f}' | '\u{161}' | '\u{219}' => "s",
        '\u{df}' => "ss",
        '\u{163}' | '\u{165}' | '\u{21b}' => "t",
        '\u{f9}'..='\u{fc}' | '\u{16b}' | '\u{16f}' | '\u{171}' => "u",
        '\u{fd}' | '\u{ff}' => "y",
        '\u{17a}' | '\u{17c}' | '\u{17e}' => "z",
        // A dotted capital I leaves its dot behind when it is put in lower case.
        '\u{300}'..='\u{36f}' => "",
        other => {
            text.push(other);
            return;
        }
    };
    text.push_str(plain);
}

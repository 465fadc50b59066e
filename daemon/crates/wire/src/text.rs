//! Small tools for texts that everything above shares: words, shortening, the language of a tag. Never changes what a person
//! is shown but to cut it.

/// Cuts a text into lower-case words of letters and digits. Everything else is between words.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let separate = text.split(|c: char| !c.is_alphanumeric());
    separate.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Cuts a text to so many characters, with an ellipsis behind it where that takes something away.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Gives the language of a tag such as `en-US` or `en_US`, in small letters: its primary subtag.
pub fn primary_subtag(tag: &str) -> String {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    primary.trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_digits_in_small_letters() {
        let found: Vec<String> = words("Don't set_light to 50%, Öl!").collect();
        assert_eq!(found, ["don", "t", "set", "light", "to", "50", "öl"]);
    }

    #[test]
    fn a_text_is_cut_between_characters_and_says_so() {
        assert_eq!(shortened("weiß", 4), "weiß");
        assert_eq!(shortened("weiße", 4), "weiß…");
    }

    #[test]
    fn a_tag_names_its_language_however_it_is_spelled() {
        for (tag, language) in [("en-US", "en"), ("PT_br", "pt"), ("de", "de"), ("", "")] {
            assert_eq!(primary_subtag(tag), language, "{tag}");
        }
    }
}

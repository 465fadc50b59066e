//! Between the language tags of people (BCP 47) and the codes of whisper.

/// Whisper's code for the language of a tag such as `en-US`, if whisper knows that language.
pub(super) fn whisper_code(tag: &str) -> Option<&'static str> {
    let primary = tag
        .split(['-', '_'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    if primary.len() < 2 || !primary.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    // Tags whose language whisper lists under another code.
    let code = match primary.as_str() {
        "nb" => "no",
        "iw" => "he",
        "in" => "id",
        "fil" => "tl",
        "cmn" => "zh",
        "jv" => "jw",
        other => other,
    };
    // whisper also knows languages by their English names, which are no tags.
    let known = whisper_rs::get_lang_id(code).and_then(whisper_rs::get_lang_str)?;
    (known == code).then_some(known)
}

/// The codes of all languages that whisper knows, or of English alone for a model that knows no other.
pub(super) fn codes(multilingual: bool) -> Vec<&'static str> {
    if !multilingual {
        return vec!["en"];
    }
    let all = 0..=whisper_rs::get_lang_max_id();
    all.filter_map(whisper_rs::get_lang_str).collect()
}

/// The tag to report: the one asked for when the decoder followed it, else whisper's code.
pub(super) fn reported(asked: Option<&str>, decoded: &str) -> String {
    asked
        .filter(|tag| whisper_code(tag) == Some(decoded))
        .unwrap_or(decoded)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_codes() {
        for (tag, code) in [
            ("en-US", Some("en")),
            ("EN_us", Some("en")),
            ("de", Some("de")),
            ("nb-NO", Some("no")),
            ("zh-Hant-TW", Some("zh")),
            ("german", None),
            ("xx-YY", None),
            ("", None),
            ("e\0n", None),
        ] {
            assert_eq!(whisper_code(tag), code, "{tag}");
        }
    }

    #[test]
    fn a_model_knows_a_hundred_languages_or_one() {
        assert_eq!(codes(false), ["en"]);
        let all = codes(true);
        assert!(
            all.len() > 90 && all.contains(&"de") && all.contains(&"en"),
            "{all:?}"
        );
    }

    #[test]
    fn the_tag_asked_for_is_kept_only_when_followed() {
        assert_eq!(reported(Some("en-US"), "en"), "en-US");
        assert_eq!(reported(Some("de-DE"), "en"), "en");
        assert_eq!(reported(None, "fr"), "fr");
    }
}

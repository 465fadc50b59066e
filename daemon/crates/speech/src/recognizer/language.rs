//! Between the language tags of people (BCP 47) and the codes of whisper.

/// The languages that are spoken here.
#[derive(Debug, Clone, Default)]
pub(super) struct Spoken {
    /// The one that is expected, as a tag.
    expected: Option<String>,
    /// All of them that whisper knows, as tags and codes.
    all: Vec<(String, &'static str)>,
}

impl Spoken {
    pub(super) fn new(expected: Option<&str>, all: &[String]) -> Self {
        let mut known: Vec<(String, &'static str)> = Vec::new();
        for tag in expected.into_iter().chain(all.iter().map(String::as_str)) {
            if let Some(code) = whisper_code(tag)
                && !known.iter().any(|(_, other)| *other == code)
            {
                known.push((tag.to_owned(), code));
            }
        }
        Self {
            expected: expected.map(str::to_owned),
            all: known,
        }
    }

    /// Tells whether the language is to be detected where this one is asked for. It may be spelled in another way
    /// than the expected one.
    pub(super) fn are_in_question(&self, asked: Option<&str>) -> bool {
        let code = |tag: Option<&str>| tag.and_then(whisper_code);
        self.all.len() > 1 && code(asked) == code(self.expected.as_deref())
    }

    /// Gives the tag of the language that is most probable by what whisper says of each of its languages.
    pub(super) fn likeliest(&self, probabilities: &[f32]) -> Option<&str> {
        let probability = |code: &str| {
            let id = whisper_rs::get_lang_id(code).and_then(|id| usize::try_from(id).ok());
            id.and_then(|id| probabilities.get(id))
                .copied()
                .unwrap_or_default()
        };
        let likeliest = self
            .all
            .iter()
            .max_by(|(_, one), (_, other)| probability(one).total_cmp(&probability(other)));
        likeliest.map(|(tag, _)| tag.as_str())
    }
}

/// Gives whisper's code for the language of a tag such as `en-US`, if whisper knows that language.
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

/// Gives whisper's code for the language of this English name.
pub(super) fn code_of_name(name: &str) -> Option<&'static str> {
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
    let id = is_name.then(|| whisper_rs::get_lang_id(&name.to_ascii_lowercase()))?;
    id.and_then(whisper_rs::get_lang_str)
}

/// Lists the codes of all languages that whisper knows, or of English alone for a model that knows no other.
pub(super) fn codes(multilingual: bool) -> Vec<&'static str> {
    if !multilingual {
        return vec!["en"];
    }
    let all = 0..=whisper_rs::get_lang_max_id();
    all.filter_map(whisper_rs::get_lang_str).collect()
}

/// Chooses the tag to report: the one asked for when the decoder followed it, else whisper's code.
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
    fn only_languages_that_are_spoken_here_are_detected() {
        let spoken = Spoken::new(
            Some("en-US"),
            &["de-DE".into(), "en-GB".into(), "xx-YY".into(), "fr".into()],
        );
        assert!(spoken.are_in_question(Some("en-US")));
        assert!(!spoken.are_in_question(Some("de-DE")), "it was asked for");
        assert!(
            spoken.are_in_question(Some("en-us")),
            "it is spelled so elsewhere"
        );
        assert!(!Spoken::new(Some("en-US"), &["en-GB".into()]).are_in_question(Some("en-US")));
        let mut probabilities = vec![0.0; 100];
        let of = |code| usize::try_from(whisper_rs::get_lang_id(code).unwrap()).unwrap();
        (
            probabilities[of("nl")],
            probabilities[of("de")],
            probabilities[of("en")],
        ) = (0.7, 0.2, 0.1);
        assert_eq!(spoken.likeliest(&probabilities), Some("de-DE"));
    }

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
    fn names_become_codes() {
        assert_eq!(code_of_name("German"), Some("de"));
        assert_eq!(code_of_name("klingon"), None);
        assert_eq!(code_of_name("ger\0man"), None);
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

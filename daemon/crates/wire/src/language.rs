//! Which language an utterance is in and its answer should be in (SESSION-1 §3.2). Changes no signal.

use crate::message::Message;
use crate::session::Session;

/// The languages that this device was set up for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Languages {
    default: String,
    enabled: Option<Vec<String>>,
}

impl Languages {
    /// Every well-formed tag is understood; `default` is used where nothing says otherwise.
    pub fn any(default: &str) -> Self {
        Self {
            default: standard(default).unwrap_or_else(|| default.to_owned()),
            enabled: None,
        }
    }

    /// Only the default and the tags listed are understood. A tag without a region, as `en`, covers all its regions.
    pub fn only<'a>(default: &str, enabled: impl IntoIterator<Item = &'a str>) -> Self {
        let mut languages = Self::any(default);
        languages.enabled = Some(enabled.into_iter().filter_map(standard).collect());
        languages
    }

    /// Gives the language of the deployment, which counts where a frame names none.
    pub fn default_lang(&self) -> &str {
        &self.default
    }

    /// Gives the tag in its standard spelling when it names a language and is enabled.
    fn accept(&self, tag: &str) -> Option<String> {
        let tag = standard(tag).filter(|tag| names_a_language(tag))?;
        let covers = |range: &String| {
            tag.strip_prefix(range.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let enabled = match &self.enabled {
            None => true,
            Some(enabled) => covers(&self.default) || enabled.iter().any(covers),
        };
        enabled.then_some(tag)
    }
}

/// Chooses the one language of an utterance: the first signal that is present, not empty and enabled
/// (SESSION-1 §3.2.7).
///
/// The signals are `data.lang`, the session's `stt_lang`, `detected_lang`, `request_lang` and `lang`, and the
/// deployment's default. Others are skipped silently.
pub fn utterance_lang(message: &Message, languages: &Languages) -> String {
    let session = message.context.session();
    let spoken = message.data.get("lang").and_then(serde_json::Value::as_str);
    let carried = ["stt_lang", "detected_lang", "request_lang", "lang"]
        .into_iter()
        .filter_map(|field| session.text(field));
    spoken
        .into_iter()
        .chain(carried)
        .find_map(|tag| languages.accept(tag))
        .unwrap_or_else(|| languages.default.clone())
}

/// Chooses the language in which what is said next is recognised: the first of the session's `detected_lang`,
/// `request_lang` and `lang` that is enabled, else the deployment's default (AUDIO-IN-1 §5.1).
pub fn listening_lang(session: &Session, languages: &Languages) -> String {
    ["detected_lang", "request_lang", "lang"]
        .into_iter()
        .filter_map(|field| session.text(field))
        .find_map(|tag| languages.accept(tag))
        .unwrap_or_else(|| languages.default.clone())
}

/// Chooses the language of an answer: the session's `output_lang`, else the utterance's (SESSION-1 §3.2.3).
pub fn answer_lang(session: &Session, utterance_lang: &str) -> String {
    session
        .output_lang()
        .and_then(standard)
        .filter(|tag| names_a_language(tag))
        .unwrap_or_else(|| utterance_lang.to_owned())
}

/// No tag that is needed has more bytes (BCP-47 §4.4.1).
const LONGEST: usize = 35;

/// Spells a BCP-47 tag in the standard way, `en-US` for `en-us` or `en_us`. `None` when it is not well formed, or too
/// long.
pub fn standard(tag: &str) -> Option<String> {
    if tag.len() > LONGEST {
        return None;
    }
    let mut parts = tag.split(['-', '_']);
    let primary = parts.next().filter(|part| is_alpha(part, 2..=8))?;
    let mut spelled = short(primary.to_ascii_lowercase());
    let mut after_singleton = false;
    for part in parts {
        if part.is_empty() || part.len() > 8 || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        spelled.push('-');
        spelled.push_str(&spell(part, after_singleton));
        // What follows a single letter, as in `en-u-ca-gregory`, is an extension and in lower case.
        after_singleton |= part.len() == 1;
    }
    Some(spelled)
}

/// Gives the language in two letters where there are two (BCP-47 §2.2.1): speech engines write the three of
/// ISO 639-2 and 639-3.
fn short(primary: String) -> String {
    let code = match primary.as_str() {
        "ara" => "ar",
        "cat" => "ca",
        "ces" | "cze" => "cs",
        "cmn" | "zho" | "chi" => "zh",
        "dan" => "da",
        "deu" | "ger" => "de",
        "ell" | "gre" => "el",
        "eng" => "en",
        "eus" | "baq" => "eu",
        "fin" => "fi",
        "fra" | "fre" => "fr",
        "glg" => "gl",
        "heb" => "he",
        "hin" => "hi",
        "hun" => "hu",
        "ita" => "it",
        "jpn" => "ja",
        "kor" => "ko",
        "nld" | "dut" => "nl",
        "nor" => "no",
        "pol" => "pl",
        "por" => "pt",
        "ron" | "rum" => "ro",
        "rus" => "ru",
        "spa" => "es",
        "swe" => "sv",
        "tur" => "tr",
        "ukr" => "uk",
        "vie" => "vi",
        _ => return primary,
    };
    code.to_owned()
}

/// Language, script and region of a tag, `zh-Hant-TW`; whatever else it says is left out. `None` when it names no
/// language. There is no room in it for anything but a language, so it may be shown to a brain.
pub fn plain(tag: &str) -> Option<String> {
    let tag = standard(tag).filter(|tag| names_a_language(tag))?;
    let mut parts = tag.split('-').peekable();
    let mut plain = parts.next().unwrap_or_default().to_owned();
    let is_region = |part: &str| is_alpha(part, 2..=2) || (part.len() == 3 && part.parse::<u16>().is_ok());
    for part in [
        parts.next_if(|part| is_alpha(part, 4..=4)),
        parts.next_if(|part| is_region(part)),
    ]
    .into_iter()
    .flatten()
    {
        plain.push('-');
        plain.push_str(part);
    }
    Some(plain)
}

/// Tells whether a well-formed tag says which language it is. Speech engines that have not found out write `und` or
/// `auto`; words such as the latter, of four letters and more, are reserved or registered for no language at all.
fn names_a_language(tag: &str) -> bool {
    const NONE: [&str; 4] = ["und", "mul", "mis", "zxx"];
    let primary = tag.split('-').next().unwrap_or_default();
    primary.len() <= 3 && !NONE.contains(&primary)
}

fn spell(part: &str, extension: bool) -> String {
    match part.len() {
        2 if !extension => part.to_ascii_uppercase(),
        4 if !extension && is_alpha(part, 4..=4) => {
            let (first, rest) = part.split_at(1);
            first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
        }
        _ => part.to_ascii_lowercase(),
    }
}

fn is_alpha(part: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests;

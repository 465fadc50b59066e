//! Which language of a pack is likest to the one that is spoken: by language, script and region of BCP-47 tags.
//!
//! Another language is never taken in the place of one that is not there.

#[derive(Debug, Clone, PartialEq, Eq)]
struct Tag {
    language: String,
    script: String,
    region: String,
}

impl Tag {
    /// Reads `zh-Hant-TW`, `zh_tw` and the like; what else a tag says is passed over.
    fn read(text: &str) -> Self {
        let mut parts = text.split(['-', '_']).map(str::to_ascii_lowercase);
        let language = parts.next().unwrap_or_default();
        let mut tag = Self {
            language: current(language),
            script: String::new(),
            region: String::new(),
        };
        // What follows a single letter is an extension.
        for part in parts.take_while(|part| part.len() > 1) {
            match part.len() {
                4 if is_alphabetic(&part) => tag.script = part,
                2 | 3 if tag.region.is_empty() => tag.region = part,
                _ => {}
            }
        }
        tag
    }

    /// The script in which it is written, as far as the region or the language tells.
    fn written(&self) -> &str {
        match (self.language.as_str(), self.region.as_str()) {
            _ if !self.script.is_empty() => &self.script,
            ("zh", "tw" | "hk" | "mo") => "hant",
            ("zh", _) => "hans",
            ("sr", _) => "cyrl",
            _ => "",
        }
    }

    /// The region whose speech is meant where the tag names none.
    fn usual_region(&self) -> &str {
        match (self.language.as_str(), self.written()) {
            _ if !self.region.is_empty() => &self.region,
            ("zh", "hant") => "tw",
            ("zh", _) => "cn",
            _ => "",
        }
    }
}

pub(super) fn likest<'a>(tag: &str, languages: &'a [String]) -> Option<&'a str> {
    let wanted = Tag::read(tag);
    let rated = languages
        .iter()
        .filter_map(|language| Some((likeness(&wanted, &Tag::read(language))?, language)));
    // Of two that are equally like the first is taken.
    let best = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, language)| language.as_str())
}

/// Counts how like two tags of one language are, the script before the region. `None` for two languages.
fn likeness(wanted: &Tag, offered: &Tag) -> Option<u8> {
    if wanted.language != offered.language {
        return None;
    }
    let script = u8::from(wanted.written() == offered.written()) * 4;
    let region = match (wanted.usual_region(), offered.region.as_str()) {
        (wanted, offered) if wanted == offered => 3,
        // What is said in no region in particular is understood in all of them.
        (_, "") => 2,
        // Macau speaks as Hong Kong does.
        ("mo", "hk") => 1,
        _ => 0,
    };
    Some(script + region)
}

/// Gives a language's present code. Norwegian without a word on its form is Bokmål.
fn current(language: String) -> String {
    match language.as_str() {
        "no" => "nb".to_owned(),
        "iw" => "he".to_owned(),
        "in" => "id".to_owned(),
        _ => language,
    }
}

fn is_alphabetic(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

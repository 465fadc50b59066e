//! Which servers are asked for what is known, and whom they may turn to.
//!
//! Set once at the start; nothing here is asked of a person.

/// Of searching and looking up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSettings {
    /// A `SearXNG` server, wherever it stands; without one, Wikipedia is searched.
    pub search_url: Option<String>,
    /// Wikipedia, or a mirror of it; `{lang}` stands for the language.
    pub wikipedia_url: String,
    /// Wiktionary, or a mirror of it; `{lang}` stands for the language.
    pub wiktionary_url: String,
    /// Wikidata, or a mirror of it, is asked here.
    pub wikidata_url: String,
    /// An address of mail or of a page, told to every server that is asked.
    pub contact: Option<String>,
}

impl Default for WebSettings {
    fn default() -> Self {
        Self {
            search_url: None,
            wikipedia_url: "https://{lang}.wikipedia.org".to_owned(),
            wiktionary_url: "https://{lang}.wiktionary.org".to_owned(),
            wikidata_url: "https://www.wikidata.org".to_owned(),
            contact: None,
        }
    }
}

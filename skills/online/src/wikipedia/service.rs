//! The articles of Wikipedia in the languages of people.
//!
//! One question finds an article and brings its beginning. What the search only guessed is no answer.

use std::sync::Arc;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::net::{Fault, Shelf};
use crate::reference::source::{ENGLISH, Source};
use crate::reference::{FRESH, prose};
use loquat_kit::folded;

/// Things of one name that are told.
const MOST_CHOICES: usize = 4;

/// In letters; what is longer is cut by the server.
const BEGINNING: &str = "1200";

/// Words that are no longer are not looked for in an article.
const SHORT_WORD: usize = 2;

/// In letters, of a title.
const LONGEST_TITLE: usize = 120;

/// Wikipedia.
#[derive(Debug)]
pub struct Wikipedia {
    source: Source,
    kept: Shelf<Option<Arc<Found>>>,
}

/// What a topic is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    Article(Article),
    /// The title may mean one of several things.
    Several {
        title: String,
        choices: Vec<String>,
    },
}

/// An article, and how it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Article {
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) url: String,
    pub(crate) lang: String,
}

/// A page that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) snippet: String,
}

#[derive(Debug, Deserialize)]
struct Page {
    title: String,
    #[serde(default)]
    index: i64,
    #[serde(default)]
    extract: String,
    #[serde(default)]
    pageprops: Option<Value>,
}

impl Page {
    fn is_of_several(&self) -> bool {
        let properties = self.pageprops.as_ref();
        properties.is_some_and(|properties| properties.get("disambiguation").is_some())
    }

    /// Whether it is on the topic, and not only the best that the search could think of.
    fn is_on(&self, topic: &str) -> bool {
        let text = folded(&format!("{} {}", self.title, self.extract));
        let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        let is_in_text = |word: &str| words.iter().any(|known| known.starts_with(word));
        let topic = folded(topic);
        let mut sought = topic
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| word.chars().count() > SHORT_WORD)
            .peekable();
        if sought.peek().is_none() {
            return folded(&self.title) == topic;
        }
        sought.all(is_in_text)
    }
}

impl Wikipedia {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            kept: Shelf::fresh_for(FRESH),
        }
    }

    /// What a topic is, in this language or else in English.
    pub(crate) async fn look_up(
        &self,
        topic: &str,
        lang: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<Found>>, Fault> {
        let found = self.in_language(topic, lang, now).await?;
        if found.is_some() || lang == ENGLISH {
            return Ok(found);
        }
        self.in_language(topic, ENGLISH, now).await
    }

    async fn in_language(
        &self,
        topic: &str,
        lang: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<Found>>, Fault> {
        let key = format!("{lang} {}", folded(topic));
        if let Some(kept) = self.kept.fresh(&key, now) {
            return Ok(kept.answer);
        }
        let sought = [("generator", "search"), ("gsrsearch", topic), ("gsrlimit", "6")];
        let pages = self.pages(&sought, lang, now).await?;
        let found = self.chosen(topic, pages, lang).map(Arc::new);
        Ok(self.kept.put(key, found, now).answer)
    }

    /// Some article of this language; nothing where what came up is none that can be told.
    pub(crate) async fn random(&self, lang: &str, now: Timestamp) -> Result<Option<Article>, Fault> {
        let any = [("generator", "random"), ("grnnamespace", "0"), ("grnlimit", "5")];
        let pages = self.pages(&any, lang, now).await?;
        let articles = pages.iter().filter(|page| !page.is_of_several());
        let mut told = articles.map(|page| (page, prose::summary(&page.extract)));
        let found = told.find(|(_, summary)| !summary.is_empty());
        Ok(found.map(|(page, summary)| self.article(&page.title, summary, lang)))
    }

    /// The pages that a generator gives, with how each begins.
    async fn pages(
        &self,
        generator: &[(&str, &str)],
        lang: &str,
        now: Timestamp,
    ) -> Result<Vec<Page>, Fault> {
        let beginning = [
            ("prop", "extracts|pageprops"),
            ("ppprop", "disambiguation"),
            ("exintro", "1"),
            ("explaintext", "1"),
            ("exlimit", "max"),
            ("exchars", BEGINNING),
        ];
        let question = [&[("action", "query")], generator, &beginning].concat();
        let mut answer = self.source.ask(lang, &question, now).await?;
        // Without a hit there is no `query`.
        match answer.pointer_mut("/query/pages").map(Value::take) {
            Some(pages) => serde_json::from_value(pages).map_err(|_| Fault::Garbled),
            None => Ok(Vec::new()),
        }
    }

    /// The page that has the topic's name, or else the first that is on it.
    fn chosen(&self, topic: &str, mut pages: Vec<Page>, lang: &str) -> Option<Found> {
        let name = folded(topic);
        pages.retain(|page| page.is_on(topic));
        pages.sort_by_key(|page| (folded(&page.title) != name, page.index));
        let first = pages.first()?;
        if !first.is_of_several() {
            let summary = prose::summary(&first.extract);
            return (!summary.is_empty()).then(|| Found::Article(self.article(&first.title, summary, lang)));
        }
        let others = pages.iter().filter(|page| !page.is_of_several());
        let choices: Vec<String> = others
            .map(|page| readable(&page.title))
            .take(MOST_CHOICES)
            .collect();
        (!choices.is_empty()).then(|| Found::Several {
            title: readable(&first.title),
            choices,
        })
    }

    fn article(&self, title: &str, summary: String, lang: &str) -> Article {
        Article {
            title: readable(title),
            summary,
            url: self.page(title, lang),
            lang: lang.to_owned(),
        }
    }

    /// The pages in which words are found.
    pub(crate) async fn search(
        &self,
        words: &str,
        most: usize,
        lang: &str,
        now: Timestamp,
    ) -> Result<Vec<Hit>, Fault> {
        let most = most.to_string();
        let question = [
            ("action", "query"),
            ("list", "search"),
            ("srsearch", words),
            ("srlimit", most.as_str()),
            ("srprop", "snippet"),
        ];
        let answer = self.source.ask(lang, &question, now).await?;
        let hits = answer.pointer("/query/search").and_then(Value::as_array);
        let hits = hits.ok_or(Fault::Garbled)?.iter().filter_map(|hit| {
            let title = hit.get("title")?.as_str()?;
            Some(Hit {
                title: readable(title),
                url: self.page(title, lang),
                snippet: untagged(hit.get("snippet")?.as_str()?),
            })
        });
        Ok(hits.collect())
    }

    fn page(&self, title: &str, lang: &str) -> String {
        let letter = |byte: u8| {
            if byte.is_ascii_alphanumeric() || b"_-.,()".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        };
        let title: String = title.replace(' ', "_").bytes().map(letter).collect();
        format!("{}/wiki/{title}", self.source.address(lang))
    }
}

fn readable(title: &str) -> String {
    let plain: String = title.chars().filter(|letter| !letter.is_control()).collect();
    prose::cut(&plain, LONGEST_TITLE)
}

/// A snippet without its tags.
fn untagged(snippet: &str) -> String {
    let mut parts = snippet.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| {
        text + part.split_once('>').map_or("", |(_, after)| after)
    });
    let text = text
        .replace("&quot;", "\"")
        .replace("&#039;", "'")
        .replace("&amp;", "&");
    prose::spoken(&text)
}

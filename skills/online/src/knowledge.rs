//! What encyclopedias, dictionaries and tables of facts know, for skills and for what answers questions without a brain.
//!
//! Asks a server only when it is asked, and gives up soon: another may know. Keeps answers in memory for a day.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;

use crate::net::Outlet;
use crate::net::Wire;
use crate::reference::PATIENCE;
use crate::reference::source::{self, Source};
use crate::web::WebSettings;
use crate::wikidata::Wikidata;
use crate::wikipedia::{Found, Wikipedia};
use crate::wiktionary::Wiktionary;
use loquat_kit::calendar::Now;
use loquat_kit::locale::Locales;
use loquat_kit::permission::{Permissions, Service};

pub(crate) mod question;

use question::Topic;

/// Of one question to one server, so that a silent one is known before the patience ends.
const EACH: Duration = Duration::from_secs(4);

/// Where an answer is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnowledgeKind {
    /// Wikipedia: who or what something is.
    Encyclopedia,
    /// Wiktionary: what a word means.
    Dictionary,
}

/// The works that are asked, with what they answered last.
pub struct Knowledge {
    /// Articles are looked up here.
    pub wikipedia: Arc<Wikipedia>,
    /// Meanings of words are looked up here.
    pub wiktionary: Arc<Wiktionary>,
    /// Facts are looked up here.
    pub wikidata: Arc<Wikidata>,
    locales: Arc<Locales>,
    now: Now,
}

impl std::fmt::Debug for Knowledge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Knowledge").finish_non_exhaustive()
    }
}

impl Knowledge {
    /// At these servers; none is asked yet.
    pub fn new(
        settings: &WebSettings,
        permissions: &Arc<Permissions>,
        locales: Arc<Locales>,
        now: Now,
    ) -> Self {
        let WebSettings {
            wikipedia_url,
            wiktionary_url,
            wikidata_url,
            contact,
            ..
        } = settings;
        let addresses = [wikipedia_url.as_str(), wiktionary_url, wikidata_url];
        let wire = Arc::new(Wire::to(&addresses, contact.as_deref()).hasty(EACH));
        let source = |url: &String, service: Service| {
            Source::new(url.clone(), Outlet::to(service, permissions), Arc::clone(&wire))
        };
        Self {
            wikipedia: Arc::new(Wikipedia::new(source(wikipedia_url, Service::Wikipedia))),
            wiktionary: Arc::new(Wiktionary::new(source(wiktionary_url, Service::Wiktionary))),
            wikidata: Arc::new(Wikidata::new(source(wikidata_url, Service::Wikidata))),
            locales,
            now,
        }
    }

    /// The answer to a spoken question, in a sentence or a few, in its language (BCP-47); `None` where it is no question of
    /// this kind, where nothing is found and where nothing can be reached. Takes five seconds at most.
    pub async fn answer(&self, kind: KnowledgeKind, question: &str, lang: &str) -> Option<String> {
        let topic = Topic::of(kind, question, &self.locales, lang)?.0;
        let lang = source::language(Some(lang));
        let now = (self.now)();
        let answer = async {
            match kind {
                KnowledgeKind::Encyclopedia => self.article(&topic, &lang, now).await,
                KnowledgeKind::Dictionary => self.definition(&topic, &lang, now).await,
            }
        };
        timeout(PATIENCE, answer).await.ok()?
    }

    async fn article(&self, topic: &str, lang: &str, now: Timestamp) -> Option<String> {
        let found = self.wikipedia.look_up(topic, lang, now).await.ok()??;
        match &*found {
            Found::Article(article) if article.lang == lang => Some(article.summary.clone()),
            // What a thing of several is meant cannot be asked back here, and another language may not be understood.
            _ => None,
        }
    }

    async fn definition(&self, word: &str, lang: &str, now: Timestamp) -> Option<String> {
        let found = self.wiktionary.look_up(word, lang, now).await.ok()??;
        (found.lang == lang).then(|| found.meanings.join(" "))
    }
}

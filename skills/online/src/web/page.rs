//! Pages of the web, as far as their sites let machines read them.
//!
//! Asks each site for its rules first, and again when it is sent on to another.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::Url;
use tokio::time::timeout;

use super::readable::{Readable, Reader};
use super::robots::{self, Rules};
use super::settings::WebSettings;
use crate::net::Outlet;
use crate::net::fetch::{Document, Fetcher, Found};
use crate::net::guard::{Guard, Refusal};
use crate::net::{Fault, MOST_REDIRECTS, Shelf, WHOLE_LIMIT, user_agent};
use loquat_kit::permission::{Permissions, Service};

/// For how long a site's rules are remembered, in seconds.
const RULES_LAST: i64 = 24 * 60 * 60;

/// Of reading, after a page has come.
pub(super) const PATIENCE: Duration = Duration::from_secs(16);

/// The way to pages.
#[derive(Debug)]
pub struct Pages {
    fetcher: Fetcher,
    rules: Shelf<Rules>,
    reader: Reader,
}

/// A page, and where it lay in the end.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) url: Url,
    pub(super) readable: Readable,
}

impl Pages {
    /// Of the world.
    pub fn new(settings: &WebSettings, permissions: &Arc<Permissions>) -> Self {
        let user_agent = user_agent(settings.contact.as_deref());
        let outlet = Outlet::to(Service::WebPages, permissions);
        Self::by(Fetcher::new(
            outlet,
            Guard::default(),
            user_agent,
            loquat_tls::http_client,
        ))
    }

    pub(super) fn by(fetcher: Fetcher) -> Self {
        Self {
            fetcher,
            rules: Shelf::fresh_for(RULES_LAST),
            reader: Reader::default(),
        }
    }

    /// What is written on the page at an address.
    pub(super) async fn read(&self, address: &str, now: Timestamp) -> Result<Page, Refusal> {
        let url = self.fetcher.read(address)?;
        let document = timeout(WHOLE_LIMIT, self.fetch(url, now)).await;
        let document = document.unwrap_or(Err(Fault::Slow.into()))?;
        if robots::forbid(&document.headers) {
            return Err(Refusal::Robots);
        }
        Ok(Page {
            url: document.url.clone(),
            readable: self.reader.read(document).await?,
        })
    }

    async fn fetch(&self, mut url: Url, now: Timestamp) -> Result<Document, Refusal> {
        for _ in 0..=MOST_REDIRECTS {
            if !self.rules(&url, now).await?.permit(&url) {
                return Err(Refusal::Robots);
            }
            match self.fetcher.step(&url, now).await? {
                Found::Document(document) => return Ok(document),
                Found::Elsewhere(next) => url = next,
            }
        }
        Err(Refusal::Redirects)
    }

    /// The rules of the site on which a page lies.
    async fn rules(&self, url: &Url, now: Timestamp) -> Result<Rules, Refusal> {
        let site = url.origin().ascii_serialization();
        if let Some(kept) = self.rules.fresh(&site, now) {
            return Ok(kept.answer);
        }
        let mut file = url.clone();
        file.set_path("/robots.txt");
        file.set_query(None);
        let rules = match self.fetcher.follow(&file, now).await {
            Ok(document) => Rules::read(&String::from_utf8_lossy(&document.body)),
            // A site that cannot say what it wants is left alone, one without rules has none (RFC 9309 §2.3.1).
            Err(Refusal::Fault(Fault::Broken(_))) => Rules::none_allowed(),
            Err(Refusal::Fault(Fault::Refused(_) | Fault::Endless | Fault::Garbled) | Refusal::Redirects) => {
                Rules::default()
            }
            Err(refusal) => return Err(refusal),
        };
        Ok(self.rules.put(site, rules, now).answer)
    }
}

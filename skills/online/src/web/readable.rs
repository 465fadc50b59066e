//! What a person would read of a page: its title and its text, without menus and advertisements.
//!
//! Runs nothing of it and loads nothing that it names. A page that is built to cost time or memory is not read.

use std::sync::Arc;
use std::time::Duration;

use dom_smoothie::{Config, Readability, TextMode};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::charset;
use crate::net::fetch::Document;
use crate::net::guard::Refusal;

/// A long article has a few thousand.
const MOST_TAGS: usize = 20_000;

/// Elements within elements; a page that people wrote has thirty.
const DEEPEST: usize = 200;

/// Reading takes some tens of milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Elements that hold nothing, or that end where the next begins.
const FLAT: &[&str] = &[
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option",
    "p", "param", "source", "tbody", "td", "th", "thead", "tr", "track", "wbr",
];

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Readable {
    pub(super) title: String,
    pub(super) text: String,
}

/// Reads one page at a time, so that a costly one cannot be joined by others.
#[derive(Debug)]
pub(super) struct Reader(Arc<Semaphore>);

impl Default for Reader {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl Reader {
    pub(super) async fn read(&self, document: Document) -> Result<Readable, Refusal> {
        let kind = document.content_type();
        let text = charset::text(&kind, &document.body);
        let kind = kind.split(';').next().unwrap_or_default().trim();
        match kind {
            "text/plain" | "text/markdown" => Ok(Readable {
                title: String::new(),
                text: tidied(&text),
            }),
            "text/html" | "application/xhtml+xml" => self.html(text).await,
            _ => Err(Refusal::NoText),
        }
    }

    async fn html(&self, html: String) -> Result<Readable, Refusal> {
        if !is_plain(&html) {
            return Err(Refusal::Unreadable);
        }
        let reading = async {
            let turn = Arc::clone(&self.0).acquire_owned().await.ok()?;
            // The turn ends with the reading, also where the reading is no longer awaited.
            let reading = tokio::task::spawn_blocking(move || {
                let read = extracted(html);
                drop(turn);
                read
            });
            reading.await.ok()?
        };
        let read = timeout(PATIENCE, reading).await.ok().flatten();
        read.ok_or(Refusal::Unreadable)
    }
}

fn extracted(html: String) -> Option<Readable> {
    let config = Config {
        max_elements_to_parse: MOST_TAGS,
        text_mode: TextMode::Markdown,
        ..Config::default()
    };
    let mut readability = Readability::new(html, None, Some(config)).ok()?;
    let article = readability.parse().ok()?;
    let text = tidied(&article.text_content);
    (!text.is_empty()).then(|| Readable {
        title: tidied(&article.title),
        text,
    })
}

/// Whether a page has no more tags, and none deeper within others, than one that was written for people.
fn is_plain(html: &str) -> bool {
    let (mut count, mut depth) = (0_usize, 0_usize);
    for tag in html.split('<').skip(1) {
        let name = tag.trim_start_matches('/');
        let length = name.find(|letter: char| !letter.is_ascii_alphanumeric());
        let name = name.get(..length.unwrap_or(name.len())).unwrap_or_default();
        if name.is_empty() {
            continue;
        }
        count += 1;
        if FLAT.iter().any(|flat| flat.eq_ignore_ascii_case(name)) {
            continue;
        }
        depth = if tag.starts_with('/') {
            depth.saturating_sub(1)
        } else {
            depth + 1
        };
        if count > MOST_TAGS || depth > DEEPEST {
            return false;
        }
    }
    count <= MOST_TAGS
}

/// Without control characters, and with one empty line at most.
fn tidied(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        let line = line.trim_end();
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{extracted, is_plain, tidied};

    #[test]
    fn a_page_is_its_title_and_its_text() {
        let paragraph =
            "The loquat is a large evergreen shrub or tree, grown for its orange fruit. ".repeat(5);
        let html = format!(
            "<html><head><title>Loquat</title><script>alert(1)</script></head><body><nav><a href=/>Home</a></nav>\
             <article><h1>Loquat</h1><p>{paragraph}</p><p>{paragraph}</p></article><footer>Imprint</footer></body></html>"
        );
        let read = extracted(html).expect("a page");
        assert_eq!(read.title, "Loquat");
        assert!(read.text.contains("grown for its orange fruit."), "{}", read.text);
        for other in ["alert", "Home", "Imprint"] {
            assert!(!read.text.contains(other), "{other} in {}", read.text);
        }
    }

    #[test]
    fn pages_that_cost_much_are_known_before_they_are_read() {
        assert!(is_plain(
            &"<p>one<br>two</p><ul><li>three<li>four</ul>".repeat(1000)
        ));
        assert!(is_plain(&"<p>never ended".repeat(3000)));
        assert!(is_plain("1 < 2, 3 << 4, <!-- a comment -->"));
        assert!(!is_plain(&"<div>".repeat(201)));
        assert!(!is_plain(&"<b><i>".repeat(150)));
        assert!(!is_plain(&"<p>".repeat(30_000)));
    }

    #[test]
    fn as_deep_as_it_may_be_a_page_is_read() {
        let html = format!(
            "{}{}",
            "<div>".repeat(200),
            "<p>Some words that are read.</p>".repeat(200)
        );
        assert!(is_plain(&html));
        assert!(extracted(html).is_some());
    }

    #[test]
    fn texts_are_tidied() {
        assert_eq!(tidied("\n\na \u{7}b\t \r\n\n\n\nc\n\n"), "a b\n\nc");
    }
}

//! The notifications that were heard, a few dozen of them in memory only: the oldest give way.
//!
//! Reaches no bus. What programs wrote is cut and freed of markup and of what is not to be heard.

use std::collections::VecDeque;

use loquat_kit::plain;

/// Kept at most.
pub(super) const MOST: usize = 32;

/// In characters.
const LONGEST_BODY: usize = 400;

/// A notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Notice {
    /// The number that the program of the desktop gave it; unknown until it has answered.
    pub(super) id: Option<u32>,
    /// The program that shows it.
    pub(super) program: String,
    pub(super) title: String,
    pub(super) text: String,
}

impl Notice {
    /// As it can be said; nothing where it says nothing.
    pub(super) fn new(program: &str, title: &str, body: &str) -> Option<Self> {
        let title = plain(title).unwrap_or_default();
        let lines = without_markup(body);
        let sentences: Vec<String> = lines.split('\n').filter_map(plain).collect();
        let text: String = sentences.join(" ").chars().take(LONGEST_BODY).collect();
        let says_something = !title.is_empty() || !text.is_empty();
        says_something.then(|| Self {
            id: None,
            program: plain(program).unwrap_or_default(),
            title,
            text,
        })
    }
}

/// All of them, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Kept {
    all: VecDeque<Notice>,
}

impl Kept {
    /// Takes one in; it stands for the one that it replaces.
    pub(super) fn add(&mut self, notice: Notice, replaces: Option<u32>) {
        self.remove(replaces);
        if self.all.len() >= MOST {
            self.all.pop_front();
        }
        self.all.push_back(notice);
    }

    /// The one with this number is gone.
    pub(super) fn remove(&mut self, id: Option<u32>) {
        self.all.retain(|notice| notice.id.is_none() || notice.id != id);
    }

    /// The latest first.
    pub(super) fn latest(&self) -> Vec<Notice> {
        self.all.iter().rev().cloned().collect()
    }

    /// Forgets all of them, and tells what they were.
    pub(super) fn clear(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.all).into()
    }
}

/// The text of a body without the few tags that it may have, and with the signs that these make necessary. What is no tag
/// stays.
fn without_markup(body: &str) -> String {
    const TAGS: [&str; 6] = ["a", "b", "br", "i", "img", "u"];
    let body: String = body.chars().take(8 * LONGEST_BODY).collect();
    let mut text = String::new();
    let mut rest = body.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let tag = after.split_once('>').filter(|(tag, _)| {
            let name = tag.trim_start_matches('/').split([' ', '/']).next();
            name.is_some_and(|name| TAGS.contains(&name.to_ascii_lowercase().as_str()))
        });
        rest = if let Some((_, after)) = tag {
            after
        } else {
            text.push('<');
            after
        };
    }
    text.push_str(rest);
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text, |text, (sign, meant)| text.replace(sign, meant))
}

/// A text as a body that may have tags says it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(title: &str) -> Notice {
        Notice::new("Mail", title, "").expect("a title")
    }

    #[test]
    fn what_is_kept_has_a_bound_and_the_oldest_give_way() {
        let mut kept = Kept::default();
        for number in 0..10 * MOST {
            kept.add(notice(&format!("Letter {number}")), None);
        }
        let latest = kept.latest();
        assert_eq!(latest.len(), MOST);
        assert_eq!(latest[0].title, format!("Letter {}", 10 * MOST - 1));
        assert_eq!(kept.clear().len(), MOST);
        assert_eq!(kept.latest(), []);
    }

    #[test]
    fn one_that_replaces_another_stands_for_it() {
        let mut kept = Kept::default();
        let first = Notice {
            id: Some(7),
            ..notice("10 percent")
        };
        kept.add(first, None);
        kept.add(notice("Letter"), None);
        kept.add(notice("20 percent"), Some(7));
        let titles: Vec<String> = kept.latest().into_iter().map(|notice| notice.title).collect();
        assert_eq!(titles, ["20 percent", "Letter"]);
        kept.remove(Some(8));
        assert_eq!(kept.latest().len(), 2);
    }

    #[test]
    fn markup_controls_and_length_are_not_read() {
        let body = "<b>Bob</b>\u{1b}[2J: x &lt; 3 &amp; y\n<img src=\"a\" alt=\"b\"/>see <a href=\"http://x\">this</a> <3";
        let read = Notice::new("Chat\u{7}", "Hello\u{202e}", body).expect("a text");
        assert_eq!((read.program.as_str(), read.title.as_str()), ("Chat", "Hello"));
        assert_eq!(read.text, "Bob[2J: x < 3 & y see this <3");
        let long = Notice::new("", "", &"word ".repeat(1 << 20)).expect("a text");
        assert!(long.text.chars().count() <= LONGEST_BODY);
        assert_eq!(Notice::new("Chat", "\u{7}", "<b></b>\n"), None);
        assert_eq!(without_markup(&escaped("a <b>&amp;</b>")), "a <b>&amp;</b>");
    }
}

//! What a site's `robots.txt` and headers say about machines that read its pages (RFC 9309).
//!
//! Asks no site. Rules have limits of number and work, since sites write them.

use reqwest::Url;
use reqwest::header::HeaderMap;

/// The name under which rules may address the device.
const AGENT: &str = "loquat";

/// Longer files are read as far as this.
const MOST_LINES: usize = 20_000;

const MOST_RULES: usize = 2000;

/// The rules of a site that concern the device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rules(Vec<Rule>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allows: bool,
    pattern: String,
}

/// Rules, and the machines that they are for.
#[derive(Debug, Default)]
struct Group {
    agents: Vec<String>,
    rules: Vec<Rule>,
}

impl Group {
    fn is_for(&self, agent: &str) -> bool {
        self.agents
            .iter()
            .any(|known| known.split('/').next() == Some(agent))
    }
}

impl Rules {
    /// Of a site that wants no visits now.
    pub(super) fn none_allowed() -> Self {
        Self(vec![Rule {
            allows: false,
            pattern: "/".to_owned(),
        }])
    }

    /// Those of a file: the groups that name the device, or else those for all.
    pub(super) fn read(text: &str) -> Self {
        let groups = groups(text);
        let is_named = groups.iter().any(|group| group.is_for(AGENT));
        let agent = if is_named { AGENT } else { "*" };
        let ours = groups.into_iter().filter(|group| group.is_for(agent));
        Self(ours.flat_map(|group| group.rules).take(MOST_RULES).collect())
    }

    /// Whether a page may be read: the longest rule that fits decides, and of two the one that allows.
    pub(super) fn permit(&self, url: &Url) -> bool {
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let fitting = self.0.iter().filter(|rule| fits(&rule.pattern, &path));
        let deciding = fitting.max_by_key(|rule| (rule.pattern.len(), rule.allows));
        deciding.is_none_or(|rule| rule.allows)
    }
}

/// Whether a page's headers keep it from being read by machines that answer questions.
pub(super) fn forbid(headers: &HeaderMap) -> bool {
    let said = headers.get_all("x-robots-tag").iter();
    let mut said = said
        .filter_map(|said| said.to_str().ok())
        .flat_map(|said| said.split(','));
    said.any(|said| {
        let (agent, rule) = said.split_once(':').unwrap_or(("", said));
        let agent = agent.trim();
        rule.trim().eq_ignore_ascii_case("noai") && (agent.is_empty() || agent.eq_ignore_ascii_case(AGENT))
    })
}

fn groups(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (key, value) in text.lines().take(MOST_LINES).filter_map(line) {
        match key.as_str() {
            "user-agent" => {
                // Several in a row share their rules.
                if groups.last().is_none_or(|group| !group.rules.is_empty()) {
                    groups.push(Group::default());
                }
                if let Some(group) = groups.last_mut() {
                    group.agents.push(value.to_ascii_lowercase());
                }
            }
            "allow" | "disallow" => {
                if let Some(group) = groups.last_mut() {
                    group.rules.push(Rule {
                        // An empty rule forbids nothing.
                        allows: key == "allow" || value.is_empty(),
                        pattern: value.to_owned(),
                    });
                }
            }
            _ => {}
        }
    }
    groups
}

/// A key in lower case and its value.
fn line(line: &str) -> Option<(String, &str)> {
    let line = line.split('#').next().unwrap_or_default();
    let (key, value) = line.split_once(':')?;
    let key = key.trim_start_matches('\u{feff}').trim();
    Some((key.to_ascii_lowercase(), value.trim()))
}

/// Whether a path begins as a pattern says, in which `*` stands for anything and a `$` at the end for the path's end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return !to_the_end || rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() && to_the_end {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderValue};

    use super::{Rules, fits, forbid};

    fn permits(rules: &str, path: &str) -> bool {
        let url = format!("https://example.org{path}").parse().expect("an address");
        Rules::read(rules).permit(&url)
    }

    #[test]
    fn the_longest_rule_decides() {
        let rules = "User-agent: *\nDisallow: /private # not for you\nAllow: /private/open\nDisallow: /*.pdf$\n\
                     Disallow: /search?*q=\nDisallow:\n";
        for (path, is_permitted) in [
            ("/", true),
            ("/private", false),
            ("/private/x", false),
            ("/private/open/x", true),
            ("/a.pdf", false),
            ("/a.pdf?x", true),
            ("/search?lang=en&q=x", false),
            ("/search", true),
        ] {
            assert_eq!(permits(rules, path), is_permitted, "{path}");
        }
    }

    #[test]
    fn rules_for_the_device_take_the_place_of_those_for_all() {
        let rules = "User-agent: other\nDisallow: /\n\nuser-agent: Loquat/1.0\nUser-Agent: another\nDisallow: /ours\n\
                     User-agent: *\nDisallow: /all";
        for (path, is_permitted) in [("/", true), ("/ours", false), ("/all", true)] {
            assert_eq!(permits(rules, path), is_permitted, "{path}");
        }
        assert!(permits(
            "User-agent: loquat\nDisallow:\nUser-agent: *\nDisallow: /",
            "/"
        ));
        assert!(!permits("User-agent: *\nDisallow: /", "/"));
        assert!(permits("<html>no rules</html>", "/"));
        assert!(
            permits("Disallow: /", "/"),
            "a rule of no group concerns no machine"
        );
    }

    #[test]
    fn patterns_cost_little() {
        let (pattern, path) = ("/*a".repeat(500) + "$", "/a".repeat(1000));
        assert!(fits(&pattern, &path));
        assert!(!fits(&pattern, &format!("{path}b")));
        assert!(fits("*", "/x") && fits("/$", "/") && !fits("/$", "/x") && fits("/x*", "/x"));
    }

    #[test]
    fn a_page_s_headers_may_forbid_it() {
        for (said, forbids) in [
            ("noai", true),
            ("noindex, NoAI", true),
            ("loquat: noai", true),
            ("otherbot: noai", false),
            ("noindex", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.append("x-robots-tag", HeaderValue::from_static("all"));
            headers.append("x-robots-tag", HeaderValue::from_static(said));
            assert_eq!(forbid(&headers), forbids, "{said}");
        }
    }
}

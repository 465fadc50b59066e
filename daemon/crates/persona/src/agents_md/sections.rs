//! A Markdown text cut at its headings. Opens no file.

use loquat_skills::folded;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    /// The heading without its signs; absent for what stands before the first heading.
    heading: Option<String>,
    body: String,
}

impl Section {
    /// Writes the section as the brain reads it.
    pub(super) fn told(&self) -> String {
        match &self.heading {
            Some(heading) => format!("## {heading}\n{}", self.body),
            None => self.body.clone(),
        }
    }

    /// Tells whether a nearer file says this already.
    pub(super) fn replaced_by(&self, nearer: &Self) -> bool {
        let name = |section: &Self| section.heading.as_deref().map(folded);
        self.heading.is_some() && name(self) == name(nearer)
    }

    /// Tells whether its heading holds one of these words, in any case; all are wanted where there are none.
    pub(super) fn is_wanted(&self, words: &[String]) -> bool {
        let heading = self.heading.as_deref().unwrap_or_default().to_lowercase();
        words.is_empty() || words.iter().any(|word| heading.contains(&word.to_lowercase()))
    }
}

/// Cuts a text into its sections, in their order. Those without words are left out.
pub(super) fn of(text: &str) -> Vec<Section> {
    let text = text.trim_start_matches('\u{feff}');
    let mut sections = vec![(None, String::new())];
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let mark = fence_of(line);
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            // What closes is at least as long as what opened, of the same sign and without a word behind it.
            (Some(open), Some(close)) if close.starts_with(open) && line.trim() == close => fence = None,
            (None, None) => {
                if let Some(heading) = heading_of(line) {
                    sections.push((Some(heading.to_owned()), String::new()));
                    continue;
                }
            }
            (Some(_), _) => {}
        }
        if let Some((_, body)) = sections.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    let sections = sections.into_iter().map(|(heading, body)| Section {
        heading,
        body: body.trim().to_owned(),
    });
    sections.filter(|section| !section.body.is_empty()).collect()
}

/// Finds the signs that open or close a block of code.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let signs = line.split_at(line.len() - line.trim_start_matches(sign).len()).0;
    (signs.len() >= 3).then_some(signs)
}

fn heading_of(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let heading = rest
        .strip_prefix([' ', '\t'])?
        .trim()
        .trim_end_matches('#')
        .trim();
    ((1..=6).contains(&level) && !heading.is_empty()).then_some(heading)
}

#[cfg(test)]
mod tests {
    use super::of;

    fn told(text: &str) -> Vec<String> {
        of(text).iter().map(super::Section::told).collect()
    }

    #[test]
    fn headings_begin_sections_and_code_has_none() {
        let text = "\u{feff}Before.\n# One #\n```sh\n# no heading\n~~~\n```\nwords\n\n### Two\n\n#none\nx\n## Empty\n\n";
        assert_eq!(
            told(text),
            [
                "Before.",
                "## One\n```sh\n# no heading\n~~~\n```\nwords",
                "## Two\n#none\nx",
            ]
        );
        assert!(told("").is_empty());
        assert_eq!(told("```\n# never closed"), ["```\n# never closed"]);
    }
}

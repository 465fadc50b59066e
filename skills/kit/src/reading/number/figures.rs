//! Numbers in figures, with the marks of the language between thousands and before decimals: `2,450`, `2.450,5`, `2.5`.
//!
//! Figures of a date or a time of day are no numbers.

use crate::reading::text::Text;
use crate::reading::token::Kind;

impl Text<'_> {
    /// The number in figures that stands here.
    pub(super) fn figure(&self, at: usize) -> Option<(f64, usize)> {
        let (figures, end) = self.exact_figures(at)?;
        Some((figures.parse().ok()?, end))
    }

    /// Its figures, as a program writes them.
    pub(super) fn exact_figures(&self, at: usize) -> Option<(String, usize)> {
        self.figures(at)?;
        let end = self.end_of_figures(at);
        let is_joined = self.token(end).is_some_and(|token| {
            token.is_glued && (token.is(":") || token.is("/")) && self.glued_figures(end + 1).is_some()
        });
        let tokens = self.tokens.get(at..end)?;
        let written: String = tokens.iter().map(|token| token.text.as_str()).collect();
        let number = (!is_joined).then(|| self.written(&written))??;
        Some((number, end))
    }

    /// Behind the figures with the points and commas between them.
    fn end_of_figures(&self, at: usize) -> usize {
        let mut end = at + 1;
        while self.is_glued_sign(end, ".") || self.is_glued_sign(end, ",") {
            let next = self.token(end + 1);
            if !next.is_some_and(|next| next.is_glued && next.kind == Kind::Figures) {
                break;
            }
            end += 2;
        }
        end
    }

    fn written(&self, text: &str) -> Option<String> {
        let (decimal, thousands) = (self.language.decimal, self.language.thousands);
        let (whole, decimals) = text.rsplit_once(decimal).unzip();
        let mut groups = whole.unwrap_or(text).split(thousands);
        let first = groups.next()?;
        let groups: Vec<&str> = groups.collect();
        let is_figures = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_grouped = groups.is_empty() || first.len() <= 3 && groups.iter().all(|group| group.len() == 3);
        let is_whole = is_figures(first) && groups.iter().all(|group| is_figures(group));
        if is_grouped && is_whole && decimals.is_none_or(is_figures) {
            let decimals = decimals
                .map(|decimals| format!(".{decimals}"))
                .unwrap_or_default();
            return Some(format!("{first}{}{decimals}", groups.concat()));
        }
        // With a point for decimals, as programs write them.
        let is_plain = text.matches('.').count() == 1 && !text.contains(',');
        is_plain.then(|| text.to_owned())
    }
}

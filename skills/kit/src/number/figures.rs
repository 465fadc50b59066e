//! Numbers in figures, with the marks of the language between thousands and before decimals: `2,450`, `2.450,5`, `2.5`.
//!
//! Figures of a date or a time of day are no numbers.

use crate::text::Text;
use crate::token::Kind;

impl Text<'_> {
    /// The number in figures that stands here.
    pub(super) fn figure(&self, at: usize) -> Option<(f64, usize)> {
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

    fn written(&self, text: &str) -> Option<f64> {
        let (decimal, thousands) = (self.language.decimal, self.language.thousands);
        let (whole, decimals) = text.rsplit_once(decimal).map_or((text, ""), |(whole, rest)| (whole, rest));
        let mut groups = whole.split(thousands);
        let first = groups.next()?;
        let groups: Vec<&str> = groups.collect();
        let is_figures = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_grouped = groups.is_empty() || first.len() <= 3 && groups.iter().all(|group| group.len() == 3);
        let is_number = is_figures(first) && groups.iter().all(|group| is_figures(group)) && is_figures(decimals);
        if is_grouped && is_number {
            return format!("{first}{}.{decimals}0", groups.concat()).parse().ok();
        }
        // With a point for decimals, as programs write them.
        let is_plain = text.matches('.').count() == 1 && !text.contains(',');
        is_plain.then(|| text.parse().ok()).flatten()
    }
}

//! Parentheses that close nothing, as small models write them: `sqrt(7056))`, `sqrt(7056)}}{`.
//!
//! They are passed over only where the one that was left out could stand nowhere that would change the value.

use crate::expression::token::{Kind, Token};

/// Drops surplus parentheses after a text that is one call or one pair of parentheses.
pub(super) fn drop_surplus(tokens: &mut Vec<Token>) {
    let is_call = matches!(tokens.first(), Some(token) if matches!(token.kind, Kind::Word(_)));
    let Some(close) = closing(tokens, usize::from(is_call)) else {
        return;
    };
    let surplus = tokens.iter().skip(close + 1);
    let surplus = surplus
        .take_while(|token| matches!(token.kind, Kind::Sign("(" | ")")))
        .count();
    let after = tokens.get(close + 1 + surplus);
    if after.is_none_or(|token| token.kind == Kind::End) {
        tokens.drain(close + 1..close + 1 + surplus);
    }
}

/// Where the parenthesis is closed that opens at `open`.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Sign("(") => depth += 1,
            Kind::Sign(")") if depth <= 1 => return (depth == 1).then_some(place),
            Kind::Sign(")") => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

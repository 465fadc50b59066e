//! The two orders in which a tree is searched.

use super::grow::{Grown, grow};
use super::{Chain, Found, Shape};
use crate::turn::{Flow, Turn};

/// Searches level by level: the best chains of each level grow on.
pub(super) async fn breadth_first(turn: &Turn, shape: Shape) -> Flow<Found> {
    let mut live = vec![Chain::default()];
    for _ in 0..shape.depth {
        let mut new = match grow(turn, &live, shape).await? {
            Grown::Answer(answer) => return Ok(Found::Answer(answer)),
            Grown::Chains(new) => new,
        };
        if new.is_empty() {
            break;
        }
        best_first(&mut new);
        new.truncate(shape.beam);
        live = new;
        if turn.work.exhausted().is_some() {
            break;
        }
    }
    Ok(Found::Best(live.into_iter().next().unwrap_or_default()))
}

/// The most promising chain grows on to its end; then the search turns back to the next one.
pub(super) async fn depth_first(turn: &Turn, shape: Shape) -> Flow<Found> {
    let mut best = Chain::default();
    // The last is the next; a chain is left out of it for good when its score is too low.
    let mut open = vec![Chain::default()];
    while let Some(chain) = open.pop() {
        if turn.work.exhausted().is_some() {
            break;
        }
        let mut new = match grow(turn, std::slice::from_ref(&chain), shape).await? {
            Grown::Answer(answer) => return Ok(Found::Answer(answer)),
            Grown::Chains(new) => new,
        };
        best_first(&mut new);
        new.truncate(shape.beam);
        new.retain(|chain| chain.score >= shape.threshold);
        if let Some(first) = new
            .first()
            .filter(|first| (first.thoughts.len(), first.score) > (best.thoughts.len(), best.score))
        {
            best = first.clone();
        }
        new.retain(|chain| chain.thoughts.len() < shape.depth);
        open.extend(new.into_iter().rev());
    }
    Ok(Found::Best(best))
}

/// Puts the best first. Of equal ones the earlier stays the first.
fn best_first(chains: &mut [Chain]) {
    chains.sort_by(|one, other| other.score.total_cmp(&one.score));
}

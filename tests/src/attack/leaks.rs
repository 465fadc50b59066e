//! Placeholder.

use super::row::Row;
use super::scale::Scale;

/// Placeholder.
pub async fn attack(_scale: Scale) -> Row {
    Row::default()
}

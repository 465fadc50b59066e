//! A value as it stands in a column of the file. Knows no table.

use serde::Serialize;

/// Writes a value as the JSON of a column.
pub(super) fn json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

//! Compiled JSON Schemas: compiling those of a few tools takes longer than everything else that a turn does by itself.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use serde_json::Value;

use crate::gate::Schema;

/// When there are more of these, all are forgotten: a toolbox whose schemas are always new must not fill the memory.
const MOST: usize = 1_000;

/// The schemas by the hash of their source.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    hasher: RandomState,
    kept: HashMap<u64, Schema>,
}

impl Schemas {
    /// The compiled form of a schema, if it is there.
    pub(super) fn get(&self, source: &Value) -> Option<Schema> {
        let kept = self.kept.get(&self.hasher.hash_one(source))?;
        (kept.source() == source).then(|| kept.clone())
    }

    /// Keeps one; of two with the same hash the last.
    pub(super) fn keep(&mut self, schema: Schema) {
        if self.kept.len() >= MOST {
            self.kept.clear();
        }
        self.kept.insert(self.hasher.hash_one(schema.source()), schema);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_kept_is_there_and_nothing_else_is() {
        let mut schemas = Schemas::default();
        let sources = ["string", "number"].map(|kind| json!({"type": "object", "required": [kind]}));
        schemas.keep(Schema::compile(&sources[0]).unwrap());
        assert_eq!(schemas.get(&sources[0]).unwrap().source(), &sources[0]);
        assert!(schemas.get(&sources[1]).is_none());
    }

    #[test]
    fn there_are_never_more_than_the_bound() {
        let mut schemas = Schemas::default();
        for number in 0..=MOST {
            schemas.keep(Schema::compile(&json!({"type": "object", "minProperties": number})).unwrap());
        }
        assert!(schemas.kept.len() <= MOST);
        assert!(
            schemas
                .get(&json!({"type": "object", "minProperties": MOST}))
                .is_some()
        );
    }
}

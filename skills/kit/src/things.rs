//! What skills keep or reach, by its type, for those of their sentences that name such things. Knows none of them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

type Thing = Arc<dyn Any + Send + Sync>;

/// The things of one process, at most one of a type. Clones share them, so that some may come later.
#[derive(Debug, Clone, Default)]
pub struct Things(Arc<RwLock<HashMap<TypeId, Thing>>>);

impl Things {
    /// From now on this thing is there.
    pub fn put<T: Any + Send + Sync>(&self, thing: Arc<T>) {
        self.0.write().insert(TypeId::of::<T>(), thing);
    }

    /// With this thing.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(self, thing: Arc<T>) -> Self {
        self.put(thing);
        self
    }

    /// The thing of this type, where there is one.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let thing = self.0.read().get(&TypeId::of::<T>()).map(Arc::clone)?;
        thing.downcast().ok()
    }
}

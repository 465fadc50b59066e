//! What one part gives to others, by its type: there is one of each. Knows none of them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Default)]
pub(super) struct Offers(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl fmt::Debug for Offers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offers").finish_non_exhaustive()
    }
}

impl Offers {
    /// Offers something, in the place of what was offered of its type.
    pub(super) fn offer<Offered: Send + Sync + 'static>(&mut self, offered: Offered) {
        self.0.insert(TypeId::of::<Offered>(), Arc::new(offered));
    }

    /// Gives what was offered under this type, if anything was.
    pub(super) fn get<Offered: Send + Sync + 'static>(&self) -> Option<&Offered> {
        self.0.get(&TypeId::of::<Offered>())?.downcast_ref()
    }
}

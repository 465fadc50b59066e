//! The way out to one service, which is closed without the owner's word. Asks neither the service nor the owner.

use std::sync::Arc;

use loquat_kit::permission::{Permissions, Service, Standing};

use super::fault::Fault;

/// The way out to one service: it is closed without the owner's word.
#[derive(Debug, Clone)]
pub(crate) struct Outlet {
    service: Service,
    permissions: Arc<Permissions>,
}

impl Outlet {
    pub(crate) fn to(service: Service, permissions: &Arc<Permissions>) -> Self {
        let permissions = Arc::clone(permissions);
        Self { service, permissions }
    }

    /// Whether it is open.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        match self.permissions.of(self.service) {
            Standing::Allowed => Ok(()),
            Standing::Denied | Standing::Unasked => Err(Fault::Closed),
        }
    }
}

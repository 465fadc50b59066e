//! What needs no table: places, secrets and OVOS's own file, on machines that exist in a temporary folder only.

mod brought;
pub(crate) mod machine;
mod places;
mod secrets;

//! The skills that work on files: those of one folder, programs that run in one, and skills that are files.
//!
//! Nothing outside of the folders that a persona's settings name is read or changed.

pub mod files;
pub mod shell;
pub mod skill_md;

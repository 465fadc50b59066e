//! What a process gives up for good before it touches what others made: files, system calls, capabilities and limits.
//!
//! The program that is confined says what it still needs; how that is asked of the kernel stands here. Nothing here gives
//! a right back, and nothing decides whether a program may go on where the kernel refused.

pub mod calls;
pub mod files;
pub mod limits;
pub mod rights;

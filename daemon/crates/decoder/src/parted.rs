//! A reply whose reasoning is taken out of it. How that is found is said elsewhere.

/// A reply taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Parted {
    /// The reasoning, without its marks.
    pub thought: String,
    /// It is the reply without its reasoning.
    pub text: String,
    /// Says whether the last block never closed.
    pub unclosed: bool,
}

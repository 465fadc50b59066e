//! What the benchmarks measure, and what they compare it with; the programs of `make bench-*` print the tables.
//!
//! The daemons, brains and peers are those of `loquat-tests`. Nothing here decides whether the product is right.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a broken assumption ends the benchmark that made it; an absent key of a JSON value is null"
)]

pub mod answers;
pub mod bus;
pub mod calling;
pub mod decoding;
pub mod ears;
pub mod exam;
pub mod loops;
pub mod many;
pub mod plot;
pub mod set;
pub mod skills;
pub mod turn;
pub mod voice;

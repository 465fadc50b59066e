//! The community's sentences, as its package has them, beside the real hassil. Both are where `tests/install.py peers` has
//! installed them; without them these tests do nothing and say so.
#![cfg(test)]

mod answers;
mod drawn;
mod environment;
mod suite;

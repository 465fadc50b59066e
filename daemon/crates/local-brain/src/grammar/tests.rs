//! The grammars, read by a small matcher of our own, must take exactly the texts that the schema means.

mod matcher;
mod schemas;

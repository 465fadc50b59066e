//! The daemon of the test kit's stories, under the name that these modules use.

pub(crate) use loquat_tests::story::*;

//! The causes of an error, as they are walked through and told. Never logs or prints.

use std::error::Error;
use std::iter::successors;

/// Walks through the error itself, what caused it, and so on.
pub fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(Some(error), |&error| error.source())
}

/// Writes an error and its causes in one line.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    causes(error)
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

/// Gives the last cause. It says in the fewest words what a person can do something about, for example
/// "Connection refused (os error 111)".
pub fn root_cause(error: &(dyn Error + 'static)) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;

    #[derive(Debug)]
    struct Outer(Error);

    impl std::fmt::Display for Outer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("read it")
        }
    }

    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn an_error_is_told_with_what_caused_it() {
        let error = Outer(Error::new(ErrorKind::NotFound, "gone"));
        assert_eq!(with_causes(&error), "read it: gone");
        assert_eq!(root_cause(&error), "gone");
        assert_eq!(root_cause(&error.0), "gone");
    }
}

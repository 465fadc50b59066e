//! What an error is told as: with all its causes, in one line. Nothing here logs or prints.

/// An error and what caused it, in one line.
pub fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

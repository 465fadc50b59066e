//! How much of an earlier prompt a new one shares.

/// The number of leading items that two lists have in common.
pub(crate) fn common<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    one.iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

/// How many tokens of a prompt need not be read again, given those that the cache holds.
///
/// At least one token is always read: what the model says next comes out of reading the prompt's last token.
pub(crate) fn reusable<T: PartialEq>(cached: &[T], prompt: &[T]) -> usize {
    common(cached, prompt).min(prompt.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_beginning_is_reused() {
        assert_eq!(reusable(&[1, 2, 3, 4], &[1, 2, 9, 4, 5]), 2);
        assert_eq!(reusable(&[1, 2], &[1, 2, 3]), 2);
        assert_eq!(reusable(&[], &[1, 2]), 0);
        assert_eq!(reusable(&[7, 1], &[1, 7]), 0);
    }

    #[test]
    fn the_last_token_of_the_prompt_is_always_read() {
        assert_eq!(reusable(&[1, 2, 3], &[1, 2, 3]), 2);
        assert_eq!(reusable(&[1, 2, 3, 4], &[1, 2]), 1);
        assert_eq!(reusable(&[1], &[1]), 0);
        assert_eq!(reusable::<u8>(&[], &[]), 0);
    }
}

//! Joins the bytes of tokens to text, since a letter may be spread over several tokens. Never holds more than three
//! bytes back and never fails: what is no UTF-8 becomes U+FFFD.

/// Joins bytes to text.
#[derive(Debug, Default)]
pub(crate) struct Utf8Joiner {
    pending: Vec<u8>,
}

impl Utf8Joiner {
    /// Takes the bytes of the next token and gives the text that is complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let mut text = String::new();
        let mut done = 0;
        for chunk in self.pending.utf8_chunks() {
            text.push_str(chunk.valid());
            done += chunk.valid().len();
            let odd = chunk.invalid();
            if odd.is_empty() || (done + odd.len() == self.pending.len() && may_continue(odd)) {
                break;
            }
            text.push(char::REPLACEMENT_CHARACTER);
            done += odd.len();
        }
        self.pending.drain(..done);
        text
    }

    /// Gives what is left when no more tokens come: a letter that was never completed.
    pub(crate) fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()
    }
}

/// Tells whether more bytes could make a letter of these.
fn may_continue(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_over_several_tokens_comes_whole() {
        let mut joiner = Utf8Joiner::default();
        let shown: Vec<String> = "a😀é"
            .as_bytes()
            .iter()
            .map(|byte| joiner.push(&[*byte]))
            .collect();
        assert_eq!(shown, ["a", "", "", "", "😀", "", "é"]);
        assert_eq!(joiner.finish(), "");
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_at_once() {
        let mut joiner = Utf8Joiner::default();
        assert_eq!(joiner.push(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(joiner.push(b"\xe2\x82"), "");
        assert_eq!(joiner.push(b"x"), "\u{fffd}x");
    }

    #[test]
    fn an_unfinished_letter_at_the_end_is_replaced() {
        let mut joiner = Utf8Joiner::default();
        assert_eq!(joiner.push(b"ok\xf0\x9f"), "ok");
        assert_eq!(joiner.finish(), "\u{fffd}");
    }
}

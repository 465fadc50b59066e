//! What a file holds, as far as it is text and short enough to be shown. Never reads more than its bound.

use std::fs::File;
use std::io::Read;

/// In bytes; a brain reads no more in one piece.
pub(crate) const MOST_SHOWN: usize = 64 << 10;

/// The beginning of a file; `None` where it is no text.
pub(crate) fn beginning(file: File, most: usize) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(as_text(bytes, most))
}

fn as_text(mut bytes: Vec<u8>, most: usize) -> Option<String> {
    if let Err(error) = std::str::from_utf8(&bytes) {
        // A letter may have been cut at the bound, not elsewhere.
        let is_cut = error.error_len().is_none() && bytes.len() == most;
        bytes.truncate(error.valid_up_to());
        if !is_cut {
            return None;
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

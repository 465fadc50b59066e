//! Reads the body of an answer, up to a length.
//!
//! Unpacks nothing: what is compressed although nothing compressed was asked for is not read.

use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;

use super::fault::Fault;

/// A forecast for two weeks has 30 KiB, a long page some hundred.
const MOST_BYTES: usize = 2 << 20;

pub(super) async fn read(mut response: Response) -> Result<Vec<u8>, Fault> {
    let packed = response.headers().get(CONTENT_ENCODING);
    if packed.is_some_and(|packed| packed != "identity") {
        return Err(Fault::Garbled);
    }
    let announced = response.content_length().unwrap_or_default();
    if usize::try_from(announced).map_or(true, |announced| announced > MOST_BYTES) {
        return Err(Fault::Endless);
    }
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| Fault::Cut)? {
        if body.len() + piece.len() > MOST_BYTES {
            return Err(Fault::Endless);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

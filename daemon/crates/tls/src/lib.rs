//! The cryptography of every TLS connection of this device, the builder of HTTP clients that use it, and whom a server is
//! trusted by ([`trust`]). Never opens a connection, and accepts no certificate unseen.
//!
//! It is ring's, which is compiled in a tenth of the time that aws-lc takes. reqwest has to be told, so nothing else begins
//! an HTTP client.

pub mod trust;

use std::sync::Arc;

use reqwest::ClientBuilder;
use rustls::crypto::{CryptoProvider, ring};

/// Gives the cryptography, for what takes it by itself.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Begins an HTTP client. The first call tells the process which cryptography it has.
#[expect(
    clippy::disallowed_methods,
    reason = "what is forbidden elsewhere is done here, behind the choice of cryptography"
)]
pub fn http_client() -> ClientBuilder {
    // This fails where another caller was here before, which is as good.
    drop(ring::default_provider().install_default());
    ClientBuilder::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_client_can_be_built_twice() {
        for _ in 0..2 {
            assert!(super::http_client().build().is_ok());
        }
    }
}

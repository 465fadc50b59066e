//! The certificate with which this device lets others in over TLS, and its key. Read once, when a door is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{self, ServerConfig};

/// Says why a certificate is of no use.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read, or holds something else.
    #[error("read the certificate or key of {table} from {path}; it must hold PEM", path = .path.display())]
    Unreadable {
        /// The table of the settings that names it.
        table: &'static str,
        /// The file is here.
        path: PathBuf,
        /// The reader of PEM files says this.
        #[source]
        source: rustls_pki_types::pem::Error,
    },
    /// They do not belong together.
    #[error("use {table}.certificate and {table}.key; are they of one another?")]
    Unusable {
        /// The table of the settings that names them.
        table: &'static str,
        /// TLS failed for this reason.
        #[source]
        source: rustls::Error,
    },
}

/// Takes connections with the certificate and the key of these files, which a table of the settings names.
pub fn acceptor(
    certificate: &Path,
    key: &Path,
    table: &'static str,
) -> Result<TlsAcceptor, CertificateError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| CertificateError::Unreadable { table, path, source }
    };
    let unusable = |source| CertificateError::Unusable { table, source };
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate)
        .map_err(unreadable(certificate))?
        .collect();
    let chain = chain.map_err(unreadable(certificate))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let config = ServerConfig::builder_with_provider(loquat_tls::provider())
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(unusable)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

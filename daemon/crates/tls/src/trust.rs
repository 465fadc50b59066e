//! TLS to a server of the owner's choosing: by the certificates that the machine trusts, or by those of a file of the owner alone.
//!
//! A certificate that stands in that file itself is trusted as it is, whatever names it has, since many homes make one for
//! a server and nothing else. None is ever accepted unseen.

use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

/// Certificates of one file.
const MOST: usize = 64;

/// Makes the rules by which servers are trusted: by the certificates of a file, which this setting names, or else by
/// those of the machine. It may block for a small file, or for those of the machine. What is wrong is told with the
/// setting.
pub fn connector(ca_file: Option<&Path>, setting: &str) -> Result<TlsConnector, String> {
    let provider = crate::provider();
    let verifier: Arc<dyn ServerCertVerifier> = if let Some(file) = ca_file {
        Arc::new(Own::of(certificates(file, setting)?, &provider)?)
    } else {
        let system = rustls_platform_verifier::Verifier::new(Arc::clone(&provider));
        let system =
            system.map_err(|error| format!("failed to read the certificates of this machine: {error}"))?;
        Arc::new(system)
    };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| format!("failed to prepare TLS: {error}"))?;
    let config = builder
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Shakes hands. What goes wrong is told with the mend, which is a matter of the setting.
pub async fn handshake(
    connector: &TlsConnector,
    host: &str,
    stream: TcpStream,
    setting: &str,
) -> Result<TlsStream<TcpStream>, String> {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let name = ServerName::try_from(host.to_owned());
    let name = name.map_err(|_| format!("{host} is no name of a server"))?;
    connector.connect(name, stream).await.map_err(|error| {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        match inner {
            Some(Error::InvalidCertificate(why)) => format!(
                "its certificate is not trusted ({why:?}); put it, or that of its authority, into a file and set {setting} to \
                 that"
            ),
            _ => format!("TLS failed: {error}"),
        }
    })
}

fn certificates(file: &Path, setting: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let told = |why: String| {
        format!(
            "failed to read certificates from {setting}, {}: {why}",
            file.display()
        )
    };
    let found = CertificateDer::pem_file_iter(file).map_err(|error| told(error.to_string()))?;
    let found: Result<Vec<_>, _> = found.take(MOST).collect();
    let found = found.map_err(|error| told(error.to_string()))?;
    if found.is_empty() {
        return Err(told("there is none in the form of PEM".to_owned()));
    }
    Ok(found)
}

/// Trusts those of a file, and what they have signed.
#[derive(Debug)]
struct Own {
    certificates: Vec<CertificateDer<'static>>,
    /// Absent where none of them can be an authority.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl Own {
    fn of(
        certificates: Vec<CertificateDer<'static>>,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates.iter().cloned());
        let authorities = if roots.is_empty() {
            None
        } else {
            let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
            Some(
                builder
                    .build()
                    .map_err(|error| format!("failed to prepare TLS: {error}"))?,
            )
        };
        Ok(Self {
            certificates,
            authorities,
            provider: Arc::clone(provider),
        })
    }
}

impl ServerCertVerifier for Own {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.certificates.iter().any(|own| own == end_entity) {
            return Ok(ServerCertVerified::assertion());
        }
        match &self.authorities {
            Some(authorities) => {
                authorities.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            }
            None => Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

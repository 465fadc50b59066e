//! A server's certificate of the test's own, and what a client has to trust to accept it.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedKey, IsCa, Issuer, KeyPair};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The name for which certificates are made.
const NAME: &str = "localhost";

/// A certificate, ready to be shown by a server.
pub struct Identity {
    /// What a client trusts, in the form of PEM.
    pub trusted: String,
    /// Takes connections with it.
    pub acceptor: TlsAcceptor,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl Identity {
    /// Makes one that the server has signed itself, as an authority, for another name than it is reached by:
    /// the kind that tutorials make.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn self_signed() -> Self {
        let mut params = CertificateParams::new(vec!["somewhere.lan".to_owned()]).expect("a name");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        Self {
            trusted: certificate.pem(),
            acceptor: acceptor(certificate.der().clone(), &key),
        }
    }

    /// Makes one for `localhost` that an authority has signed, which is what is trusted.
    pub fn of_an_authority() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let trusted = params.self_signed(&key).expect("a certificate").pem();
        let issuer = Issuer::new(params, key);
        let own = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec![NAME.to_owned()]).expect("a name");
        let certificate = params.signed_by(&own, &issuer).expect("a certificate");
        Self {
            trusted,
            acceptor: acceptor(certificate.der().clone(), &own),
        }
    }

    /// Makes a certificate that has nothing to do with this one.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn stranger() -> String {
        let made = rcgen::generate_simple_self_signed(vec![NAME.to_owned()]);
        let CertifiedKey { cert, .. } = made.expect("a certificate");
        cert.pem()
    }
}

fn acceptor(certificate: CertificateDer<'static>, key: &KeyPair) -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = builder
        .expect("usual versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key);
    TlsAcceptor::from(Arc::new(config.expect("a certificate with its key")))
}

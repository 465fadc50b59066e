//! `[page]`: the page on which a person watches and tends the device.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use loquat_settings::section;

use super::password::PasswordHash;

section! {
    /// The page on which a person watches and tends the device, in a browser. `loquat page` opens it.
    "page" Page {
        /// The port at which it is served; 0 switches it off. Where another program has the port, the daemon does without.
        port: u16 = 8300;
        /// The address at which it is served. One that other machines reach needs `certificate`, `key` and `password`.
        address: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
        /// Names beside the address by which browsers may ask for it, as in `["kitchen.local"]`.
        names: Vec<String> = Vec::new();
        /// The file with its certificate and those that vouch for it, as PEM.
        /// Absent: it is served without encryption, and so to this machine alone.
        certificate: Option<PathBuf> = None, eg "/etc/loquat/page.pem";
        /// The file with the certificate's private key, as PEM.
        /// Absent: as without a certificate.
        key: Option<PathBuf> = None, eg "/etc/loquat/page.key";
        /// The hash of the password that other machines are asked for, as `loquat page password` prints it.
        /// Absent: it is entered by the address that `loquat page` prints, which is good once.
        password: Option<PasswordHash> = None, eg "$argon2id$v=19$m=8192,t=3,p=1$sOxKAwGfSr6CGUfGp/P1yw$le6c9doHx3eKog1IlbG7VONpRzrkuqhMY8LPu3RC3+c";
        /// The file whose first line is the token with which a monitoring program reads /metrics.
        /// Absent: only a browser that has entered the page reads them.
        metrics_token: Option<PathBuf> = None, eg "/etc/loquat/metrics.token";
        /// The file whose first line is the token with which MCP clients come in at /mcp of the page.
        /// Absent: MCP is not served there.
        mcp_token: Option<PathBuf> = None, eg "/etc/loquat/mcp.token";
    }
}

impl Page {
    /// Tells whether it is encrypted.
    pub fn has_tls(&self) -> bool {
        self.certificate.is_some() && self.key.is_some()
    }

    /// Says what is wrong with where the page is served, seen with what guards it.
    pub fn complaint(&self) -> Option<String> {
        if self.port == 0 {
            return None;
        }
        if self.certificate.is_some() != self.key.is_some() {
            return Some(
                "page.certificate and page.key belong together, and only one is set; set both".to_owned(),
            );
        }
        let is_guarded = self.has_tls() && self.password.is_some();
        (!self.address.to_canonical().is_loopback() && !is_guarded).then(|| {
            format!(
                "page.address is {}, which other machines reach, and the page is served there only with encryption and a \
                 password; set page.certificate, page.key and page.password, or serve it at 127.0.0.1",
                self.address
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    #[test]
    fn other_machines_reach_it_with_encryption_and_a_password_only() {
        let password = PasswordHash::of(&SecretString::from("a long enough sentence")).unwrap();
        let at = |address: &str, tls: bool, guarded: bool| Page {
            address: address.parse().unwrap(),
            certificate: tls.then(|| "page.pem".into()),
            key: tls.then(|| "page.key".into()),
            password: guarded.then(|| password.clone()),
            ..Page::default()
        };
        for closed in [
            at("127.0.0.1", false, false),
            at("::1", false, false),
            at("0.0.0.0", true, true),
        ] {
            assert_eq!(closed.complaint(), None);
        }
        for open in [(false, false), (true, false), (false, true)] {
            let complaint = at("192.168.1.5", open.0, open.1).complaint().unwrap();
            assert!(complaint.contains("page.password"), "{complaint}");
        }
        let off = Page {
            port: 0,
            ..at("0.0.0.0", false, false)
        };
        assert_eq!(off.complaint(), None);
    }

    #[test]
    fn without_settings_it_is_served_to_this_machine_alone() {
        let page = Page::default();
        assert_eq!((page.port, page.address), (8300, IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert!(!page.has_tls() && page.complaint().is_none());
    }
}

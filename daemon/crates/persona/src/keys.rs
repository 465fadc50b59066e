//! `[keys]`: what persona files may do with keys. They come from many hands, and a key is worth money.

use loquat_settings::section;

section! {
    /// Keys of model servers.
    "keys" Keys {
        /// Folders of key files that persona files may name beside those that they may in any case: ~/.config/loquat,
        /// /etc/loquat, systemd's credentials and the folder of the persona file itself.
        /// The first line of any file there can be sent to a server that a persona file chooses.
        folders: Vec<String> = Vec::new();
        /// Servers to which a key, and what people say to a recogniser, may be sent over http: their names or addresses as in
        /// `api_url`, without a port. Anybody on the way there can read it; this machine itself needs no entry.
        clear_text_hosts: Vec<String> = Vec::new();
    }
}

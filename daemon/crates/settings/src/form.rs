//! What a setting may look like: the words a complaint uses for it, and whether it is always a text.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// The type of a setting, as a person has to write it.
pub trait Form {
    /// Completes the sentence "it must be …".
    fn expected() -> String;

    /// Tells whether a complaint must not show what was written, since it may be a secret.
    fn is_secret() -> bool {
        false
    }

    /// Lists the words that its texts have to be, where a complaint is to say which of them was meant.
    fn words() -> Vec<&'static str> {
        Vec::new()
    }

    /// Tells whether every value is a text, so that a variable or flag needs no quotes even when it looks like a
    /// number.
    fn is_text() -> bool {
        false
    }
}

impl Form for bool {
    fn expected() -> String {
        "true or false".to_owned()
    }
}

impl Form for String {
    fn expected() -> String {
        "a text".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

impl Form for PathBuf {
    fn expected() -> String {
        "a path".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

impl Form for Vec<String> {
    fn expected() -> String {
        "a list of texts".to_owned()
    }
}

impl Form for Vec<IpAddr> {
    fn expected() -> String {
        "a list of IP addresses, as in [\"192.168.1.20\"]".to_owned()
    }
}

impl Form for IpAddr {
    fn expected() -> String {
        "an IP address, as in \"127.0.0.1\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

impl Form for SocketAddr {
    fn expected() -> String {
        "an IP address and a port, as in \"127.0.0.1:10700\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

impl Form for f64 {
    fn expected() -> String {
        "a number".to_owned()
    }
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Form for $number {
            fn expected() -> String {
                "a whole number".to_owned()
            }
        }
    )*};
}
whole_numbers!(u16, u32, u64);

impl<Inner: Form> Form for Option<Inner> {
    fn expected() -> String {
        Inner::expected()
    }

    fn is_text() -> bool {
        Inner::is_text()
    }

    fn is_secret() -> bool {
        Inner::is_secret()
    }

    fn words() -> Vec<&'static str> {
        Inner::words()
    }
}

/// Declares a setting that is one of a few words.
#[macro_export]
macro_rules! choice {
    (
        $(#[doc = $doc:literal])*
        $name:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $word:literal),+ $(,)? }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $crate::form::Form for $name {
            fn expected() -> String {
                let words = [$(concat!("\"", $word, "\"")),+];
                format!("one of {}", $crate::wording::listed(words))
            }

            fn is_text() -> bool {
                true
            }
        }
    };
}

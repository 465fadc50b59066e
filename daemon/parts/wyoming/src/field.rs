//! Fields of JSON that a peer may fill with anything: what has another type counts as absent and is passed over without
//! being kept, however large it is.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::value::RawValue;

/// A text, if it is one.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Text(pub(super) Option<String>);

/// A whole number that is not negative, if it is one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number(pub(super) Option<u64>);

/// An object, or what it is without any key where it is none.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Part<Fields>(pub(super) Fields);

impl Text {
    /// This, or that where this is absent.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }

    /// Gives the words, if there are any.
    pub(super) fn words(&self) -> Option<&str> {
        self.0.as_deref().map(str::trim).filter(|words| !words.is_empty())
    }
}

impl Number {
    /// This, or that where this is absent.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<From: Deserializer<'de>>(from: From) -> Result<Self, From::Error> {
        read(from).map(Self)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<From: Deserializer<'de>>(from: From) -> Result<Self, From::Error> {
        read(from).map(Self)
    }
}

impl<'de, Fields: DeserializeOwned + Default> Deserialize<'de> for Part<Fields> {
    fn deserialize<From: Deserializer<'de>>(from: From) -> Result<Self, From::Error> {
        let raw = <&RawValue>::deserialize(from)?.get();
        // A list would be taken for fields in their order.
        if raw.starts_with('{') {
            serde_json::from_str(raw).map(Self).map_err(Error::custom)
        } else {
            Ok(Self::default())
        }
    }
}

/// Reads a value where it is of this type.
fn read<'de, Value: DeserializeOwned, From: Deserializer<'de>>(
    from: From,
) -> Result<Option<Value>, From::Error> {
    let raw = <&RawValue>::deserialize(from)?;
    Ok(serde_json::from_str(raw.get()).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_another_type_is_absent() {
        for other in ["null", "true", "-1", "0.5", "[[1],{}]", "{\"a\":{\"b\":[]}}"] {
            assert_eq!(
                serde_json::from_str::<Text>(other).unwrap(),
                Text(None),
                "{other}"
            );
            assert_eq!(
                serde_json::from_str::<Number>(other).unwrap(),
                Number(None),
                "{other}"
            );
        }
        assert_eq!(serde_json::from_str::<Text>("7").unwrap(), Text(None));
        assert_eq!(serde_json::from_str::<Number>("\"7\"").unwrap(), Number(None));
        assert_eq!(serde_json::from_str::<Number>("7").unwrap(), Number(Some(7)));
        assert_eq!(
            serde_json::from_str::<Text>("\"a\"").unwrap(),
            Text(Some("a".to_owned()))
        );
        assert!(serde_json::from_str::<Text>("[").is_err());
    }
}

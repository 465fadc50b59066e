//! Fields of JSON that a peer may fill with anything: what has another type counts as absent and is passed over without
//! being kept, however large it is.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

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

/// Declares how a field is read: every kind of value that is not its own is passed over.
macro_rules! lenient {
    ($field:ident, $expected:literal, { $($own:tt)* }) => {
        impl<'de> Deserialize<'de> for $field {
            fn deserialize<From: Deserializer<'de>>(from: From) -> Result<Self, From::Error> {
                struct Any;

                impl<'de> Visitor<'de> for Any {
                    type Value = $field;

                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str($expected)
                    }

                    $($own)*

                    fn visit_bool<E>(self, _: bool) -> Result<$field, E> {
                        Ok($field::default())
                    }

                    fn visit_i64<E>(self, _: i64) -> Result<$field, E> {
                        Ok($field::default())
                    }

                    fn visit_f64<E>(self, _: f64) -> Result<$field, E> {
                        Ok($field::default())
                    }

                    fn visit_unit<E>(self) -> Result<$field, E> {
                        Ok($field::default())
                    }

                    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<$field, A::Error> {
                        while all.next_element::<IgnoredAny>()?.is_some() {}
                        Ok($field::default())
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<$field, A::Error> {
                        while all.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                        Ok($field::default())
                    }
                }

                from.deserialize_any(Any)
            }
        }
    };
}

lenient!(Text, "a text", {
    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text(Some(text.to_owned())))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Text, E> {
        Ok(Text::default())
    }
});

lenient!(Number, "a whole number", {
    fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
        Ok(Number(Some(number)))
    }

    fn visit_str<E>(self, _: &str) -> Result<Number, E> {
        Ok(Number::default())
    }
});

impl<'de, Fields: Deserialize<'de> + Default> Deserialize<'de> for Part<Fields> {
    fn deserialize<From: Deserializer<'de>>(from: From) -> Result<Self, From::Error> {
        from.deserialize_any(Object(PhantomData))
    }
}

struct Object<Fields>(PhantomData<Fields>);

impl<'de, Fields: Deserialize<'de> + Default> Visitor<'de> for Object<Fields> {
    type Value = Part<Fields>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Fields::deserialize(MapAccessDeserializer::new(map)).map(Part)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Self::Value, A::Error> {
        while all.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Part::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Part::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Part::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Part::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Part::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Part::default())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Part::default())
    }
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

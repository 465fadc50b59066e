//! The server's JSON of a reply, as far as we need it.
//!
//! Only the parts that are kept are ever built: fields of uncertain type stay raw text until they are read, and lists
//! have a bound, so that a hostile body costs no more memory than its own size.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// More calls than this in one reply are nonsense; the rest is passed over.
pub(crate) const MAX_CALLS: usize = 128;

/// A whole reply, or a piece of one.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Piece<'a> {
    #[serde(borrow, default, deserialize_with = "up_to::<_, _, 1>")]
    pub(crate) choices: Vec<Choice<'a>>,
    #[serde(borrow)]
    pub(crate) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) error: Option<&'a RawValue>,
}

/// The first of the choices; no other one is asked for.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Choice<'a> {
    #[serde(borrow)]
    pub(crate) delta: Option<Said<'a>>,
    #[serde(borrow)]
    pub(crate) message: Option<Said<'a>>,
    #[serde(borrow)]
    pub(crate) finish_reason: Option<&'a RawValue>,
}

/// The message of a choice: words, reasoning and calls.
#[derive(Debug, Default, serde::Deserialize)]
pub(crate) struct Said<'a> {
    #[serde(borrow)]
    pub(crate) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) refusal: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "up_to::<_, _, MAX_CALLS>")]
    pub(crate) tool_calls: Vec<CallPiece<'a>>,
}

/// A native call, or a piece of one.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct CallPiece<'a> {
    #[serde(borrow)]
    pub(crate) index: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) function: Option<FunctionPiece<'a>>,
}

/// The function of a call.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct FunctionPiece<'a> {
    #[serde(borrow)]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
}

/// A part of a content that comes as a list.
#[derive(Debug, serde::Deserialize)]
struct Part<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
}

/// Text and reasoning of a content, which is a text or a list of parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) text: String,
    pub(crate) reasoning: String,
}

/// The string that `raw` is, if it is one.
pub(crate) fn string(raw: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}

/// The number that `raw` is, if it is one.
pub(crate) fn number(raw: Option<&RawValue>) -> Option<u64> {
    serde_json::from_str(raw?.get()).ok()
}

/// Arguments as the model wrote them: the string's text, or the JSON of servers that send an object.
pub(crate) fn arguments(raw: Option<&RawValue>) -> String {
    string(raw).unwrap_or_else(|| raw.map_or_else(String::new, |raw| raw.get().to_owned()))
}

/// Reads a content; `None` when it is neither text nor parts.
pub(crate) fn content(raw: Option<&RawValue>) -> Option<Content> {
    let Some(raw) = raw else {
        return Some(Content::default());
    };
    if let Some(text) = string(Some(raw)) {
        return Some(Content {
            text,
            ..Content::default()
        });
    }
    let mut content = Content::default();
    let mut json = serde_json::Deserializer::from_str(raw.get());
    for part in up_to::<_, Part<'_>, MAX_CALLS>(&mut json).ok()? {
        content.text += &string(part.text).unwrap_or_default();
        content.reasoning += &thinking(part.thinking);
    }
    Some(content)
}

/// Reasoning inside a part is a text or a list of parts itself.
fn thinking(raw: Option<&RawValue>) -> String {
    let Some(raw) = raw else {
        return String::new();
    };
    string(Some(raw)).unwrap_or_else(|| {
        let mut json = serde_json::Deserializer::from_str(raw.get());
        let parts = up_to::<_, Part<'_>, MAX_CALLS>(&mut json).unwrap_or_default();
        parts
            .iter()
            .map(|part| string(part.text).unwrap_or_default())
            .collect()
    })
}

/// Reads at most `N` elements of a list and passes over the rest; `null` is an empty list.
fn up_to<'de, D, T, const N: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct UpTo<T, const N: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for UpTo<T, N> {
        type Value = Vec<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_unit<E>(self) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut kept = Vec::new();
            while kept.len() < N
                && let Some(element) = list.next_element()?
            {
                kept.push(element);
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(kept)
        }
    }

    deserializer.deserialize_any(UpTo::<T, N>(PhantomData))
}

//! The rules that every JSON grammar is built from. Never writes white space but one optional space after a colon or a
//! comma: indentation costs a small device seconds.

/// A rule that is the same in all grammars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Primitive {
    /// An optional space.
    Space,
    /// One letter within a string.
    Letter,
    /// A string of any length.
    Text,
    /// A whole number that fits in 53 bits, so that every JSON reader takes it as it is.
    Integer,
    /// A number that fits in a 64-bit float.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Anything.
    Any,
    /// An object of anything.
    AnyObject,
    /// An array of anything.
    AnyArray,
}

impl Primitive {
    /// The rule's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::Letter => "letter",
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Any => "any",
            Self::AnyObject => "any-object",
            Self::AnyArray => "any-array",
        }
    }

    /// The rule's right-hand side.
    ///
    /// A letter is never half of a surrogate pair (`\ud800` to `\udfff`): alone it is no text, and RFC 8259 §8.2 leaves
    /// open what a reader does with it.
    pub(crate) fn body(self) -> &'static str {
        match self {
            Self::Space => r#"" "?"#,
            Self::Letter => {
                r#"[^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt/] | "u" ([0-9a-cA-CefEF] [0-9a-fA-F] | [dD] [0-7]) [0-9a-fA-F]{2})"#
            }
            Self::Text => r#""\"" letter* "\"""#,
            Self::Integer => r#""-"? ("0" | [1-9] [0-9]{0,14})"#,
            Self::Number => r#"integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?"#,
            Self::Boolean => r#""true" | "false""#,
            Self::Any => r#"any-object | any-array | text | number | boolean | "null""#,
            Self::AnyObject => r#""{" (text ":" space any ("," space text ":" space any)*)? "}""#,
            Self::AnyArray => r#""[" (any ("," space any)*)? "]""#,
        }
    }

    /// The rules that the body names.
    pub(crate) fn needs(self) -> &'static [Self] {
        match self {
            Self::Space | Self::Letter | Self::Integer | Self::Boolean => &[],
            Self::Text => &[Self::Letter],
            Self::Number => &[Self::Integer],
            Self::Any => &[
                Self::AnyObject,
                Self::AnyArray,
                Self::Text,
                Self::Number,
                Self::Boolean,
            ],
            Self::AnyObject => &[Self::Text, Self::Space, Self::Any],
            Self::AnyArray => &[Self::Space, Self::Any],
        }
    }
}

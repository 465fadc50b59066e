//! A table of `loquat.toml`: declared once, it yields the struct, its defaults, the known keys and the sample file.

/// The declaration of one key.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The table it stands in.
    pub table: &'static str,
    /// The name within the table.
    pub name: &'static str,
    /// Says what it does, its default and its danger, one sentence per line.
    pub doc: &'static str,
    /// Completes the sentence "it must be …", without the bounds.
    pub form: String,
    /// Says whether every value is a text.
    pub is_text: bool,
    /// The words that its texts have to be, where a complaint is to say which of them was meant.
    pub words: Vec<&'static str>,
    /// Says whether a complaint must not show what was written.
    pub is_secret: bool,
    /// The smallest and the largest number, where it is one.
    pub bounds: Option<(f64, f64)>,
    /// The value where it is not set; absent where absence means something.
    pub default: Option<toml::Value>,
    /// A value to show where there is no default.
    pub example: Option<toml::Value>,
}

impl Key {
    /// Gives the key as people write it, `table.name`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }

    /// Completes the sentence "it must be …".
    pub fn expected(&self) -> String {
        match self.bounds {
            Some((low, high)) => format!("{} from {low} to {high}", self.form),
            None => self.form.clone(),
        }
    }
}

/// A table of `loquat.toml`.
pub trait Section {
    /// Says what the table is for, one sentence per line.
    const DOC: &'static str;
    /// The name of the table.
    const TABLE: &'static str;

    /// Declares its keys, in the order of the sample file.
    fn keys() -> Vec<Key>;
}

/// A table as the loader and the sample file know it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    /// Says what it is for.
    pub doc: &'static str,
    /// They are in the order of the sample file.
    pub keys: Vec<Key>,
}

impl Table {
    /// Describes what a section declares.
    pub fn of<Declared: Section>() -> Self {
        Self {
            name: Declared::TABLE,
            doc: Declared::DOC,
            keys: Declared::keys(),
        }
    }
}

/// Declares a table: `key: Type = default`, with `=> low..=high` where a number has bounds and `eg value` where the
/// default is to be absent.
#[macro_export]
macro_rules! section {
    (
        $(#[doc = $doc:literal])*
        $table:literal $name:ident {
            $(
                $(#[doc = $key_doc:literal])*
                $key:ident: $form:ty = $default:expr $(=> $low:literal..=$high:literal)? $(, eg $example:literal)?
            );+ $(;)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $($(#[doc = $key_doc])* pub $key: $form,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $default,)+ }
            }
        }

        impl $crate::section::Section for $name {
            const DOC: &'static str = concat!($($doc, "\n"),*);
            const TABLE: &'static str = $table;

            fn keys() -> Vec<$crate::section::Key> {
                let default = Self::default();
                vec![$($crate::section::Key {
                    table: $table,
                    name: stringify!($key),
                    doc: concat!($($key_doc, "\n"),*),
                    form: <$form as $crate::form::Form>::expected(),
                    is_text: <$form as $crate::form::Form>::is_text(),
                    words: <$form as $crate::form::Form>::words(),
                    is_secret: <$form as $crate::form::Form>::is_secret(),
                    bounds: [$((f64::from($low), f64::from($high)))?].first().copied(),
                    // A value that TOML cannot hold is an absent one.
                    default: $crate::toml::Value::try_from(&default.$key).ok(),
                    example: [$($crate::toml::Value::from($example))?].first().cloned(),
                }),+]
            }
        }
    };
}

//! Turns a JSON Schema into a grammar. Never drops a keyword that would change the shape of the text: what cannot be
//! followed is refused with its place.
//!
//! Followed: `type` (one or several), `properties`, `required`, `additionalProperties`, `items`, `prefixItems`,
//! `minItems`, `maxItems`, `minLength`, `maxLength`, `enum`, `const`, `anyOf`, `oneOf`, an `allOf` of one, `$ref` within
//! the document, and `true`. The properties come in the order of the schema. An object that declares properties gets no
//! others, which is stricter than the schema unless it says so itself. A `oneOf` is taken as an `anyOf`.
//!
//! Left to whoever validates the value: ranges of numbers, `pattern`, `format`, `uniqueItems`, `minProperties`,
//! `maxProperties`, and lengths above [`LONGEST_REPETITION`].

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::builder::{Builder, either, literal};
use super::primitive::Primitive;

/// llama.cpp spells out every repetition as so many rules and refuses more than this (`MAX_REPETITION_THRESHOLD`).
const LONGEST_REPETITION: u64 = 2000;

/// A grammar of more bytes than this is a mistake; a schema of a hundred properties needs some ten thousand.
const LARGEST_TEXT: usize = 256 << 10;

/// Copies of all that is repeated: at 24 bytes each, of which llama.cpp holds two.
const MOST_COPIES: u64 = 160_000;

/// Rules of one grammar; llama.cpp's search for empty ones takes time with their square.
const MOST_RULES: usize = 4000;

/// Schemas within schemas, references followed; each costs stack.
const DEEPEST: usize = 128;

/// Keywords that change the shape of the text in ways that are not followed.
const REFUSED: [&str; 9] = [
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "contains",
    "$dynamicRef",
    "unevaluatedItems",
];

/// A schema that no grammar was made of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to turn the JSON schema into a grammar: at {place}: {what}")]
pub(crate) struct SchemaError {
    place: String,
    what: String,
}

impl SchemaError {
    pub(super) fn new(place: &str, what: impl Into<String>) -> Self {
        Self {
            place: if place.is_empty() {
                "the top".to_owned()
            } else {
                place.to_owned()
            },
            what: what.into(),
        }
    }
}

/// The grammar of the texts that satisfy the schema, with `root` as its start.
pub(super) fn to_gbnf(schema: &Value) -> Result<String, SchemaError> {
    let mut converter = Converter {
        document: schema,
        builder: Builder::default(),
        references: HashMap::new(),
        depth: 0,
        open: Vec::new(),
        beginnings: Vec::new(),
    };
    let start = converter.expression(schema, "")?;
    if let Some(pointer) = circle(converter.beginnings) {
        return Err(SchemaError::new(&pointer, "it begins with itself"));
    }
    let (rules, copies) = converter.builder.size();
    let text = converter.builder.finish(&start);
    for (found, most, what) in [
        (rules as u64, MOST_RULES as u64, "rules"),
        (copies, MOST_COPIES, "repetitions"),
        (text.len() as u64, LARGEST_TEXT as u64, "bytes"),
    ] {
        if found > most {
            let what = format!("the grammar would have {found} {what}, more than {most}");
            return Err(SchemaError::new("", what));
        }
    }
    Ok(text)
}

/// A reference that begins with itself, of pairs of a reference and one that it may begin with. llama.cpp follows such a
/// one for ever.
fn circle(mut beginnings: Vec<(String, String)>) -> Option<String> {
    loop {
        let before = beginnings.len();
        let from: HashSet<String> = beginnings.iter().map(|(from, _)| from.clone()).collect();
        let to: HashSet<String> = beginnings.iter().map(|(_, to)| to.clone()).collect();
        beginnings.retain(|(one, other)| from.contains(other) && to.contains(one));
        if beginnings.len() == before {
            return beginnings.pop().map(|(from, _)| from);
        }
    }
}

/// Walks a schema; `place` is always the JSON pointer of what is being looked at.
pub(super) struct Converter<'a> {
    document: &'a Value,
    pub(super) builder: Builder,
    references: HashMap<String, String>,
    /// How many schemas are around the one that is looked at.
    depth: usize,
    /// The references that are being followed, with nothing written yet since each began.
    open: Vec<String>,
    /// Each reference with those that it may begin with.
    beginnings: Vec<(String, String)>,
}

impl Converter<'_> {
    /// What stands for a schema within a sequence of the grammar.
    pub(super) fn expression(&mut self, schema: &Value, place: &str) -> Result<String, SchemaError> {
        if self.depth == DEEPEST {
            let what = format!("there are more than {DEEPEST} schemas within each other");
            return Err(SchemaError::new(place, what));
        }
        self.depth += 1;
        let expression = self.any(schema, place);
        self.depth -= 1;
        expression
    }

    fn any(&mut self, schema: &Value, place: &str) -> Result<String, SchemaError> {
        match schema {
            Value::Bool(true) => Ok(self.builder.primitive(Primitive::Any)),
            Value::Bool(false) => Err(SchemaError::new(place, "`false` allows no value at all")),
            Value::Object(schema) => self.keywords(schema, place),
            _ => Err(SchemaError::new(place, "a schema is an object or a boolean")),
        }
    }

    fn keywords(&mut self, schema: &Map<String, Value>, place: &str) -> Result<String, SchemaError> {
        if let Some(refused) = REFUSED.iter().find(|keyword| schema.contains_key(**keyword)) {
            return Err(SchemaError::new(place, format!("`{refused}` is not supported")));
        }
        if let Some(reference) = schema.get("$ref") {
            return self.reference(reference, place);
        }
        if let Some(value) = schema.get("const") {
            return Ok(literal(&value.to_string()));
        }
        if let Some(values) = schema.get("enum") {
            return self.listed(values, place);
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            if let Some(choices) = schema.get(keyword) {
                return self.combined(schema, keyword, choices, place);
            }
        }
        self.typed(schema, place)
    }

    fn reference(&mut self, reference: &Value, place: &str) -> Result<String, SchemaError> {
        let place = format!("{place}/$ref");
        let pointer = reference
            .as_str()
            .and_then(|text| text.strip_prefix('#'))
            .ok_or_else(|| {
                SchemaError::new(&place, "only a reference within the schema, `#/…`, is supported")
            })?;
        if let Some(opened) = self.open.last() {
            self.beginnings.push((opened.clone(), pointer.to_owned()));
        }
        if let Some(name) = self.references.get(pointer) {
            return Ok(name.clone());
        }
        let document = self.document;
        let target = document
            .pointer(pointer)
            .ok_or_else(|| SchemaError::new(&place, format!("there is no `#{pointer}`")))?;
        let name = self.builder.reserve();
        self.references.insert(pointer.to_owned(), name.clone());
        self.open.push(pointer.to_owned());
        let body = self.expression(target, pointer)?;
        self.open.pop();
        self.builder.define(&name, body);
        Ok(name)
    }

    fn listed(&mut self, values: &Value, place: &str) -> Result<String, SchemaError> {
        let values = values
            .as_array()
            .filter(|values| !values.is_empty())
            .ok_or_else(|| SchemaError::new(&format!("{place}/enum"), "at least one value is needed"))?;
        let choices: Vec<String> = values.iter().map(|value| literal(&value.to_string())).collect();
        Ok(self.builder.rule(choices.join(" | ")))
    }

    fn combined(
        &mut self,
        schema: &Map<String, Value>,
        keyword: &str,
        choices: &Value,
        place: &str,
    ) -> Result<String, SchemaError> {
        let place = format!("{place}/{keyword}");
        if let Some(beside) = ["properties", "required", "items"]
            .iter()
            .find(|beside| schema.contains_key(**beside))
        {
            return Err(SchemaError::new(
                &place,
                format!("`{beside}` beside it is not supported"),
            ));
        }
        let choices = choices
            .as_array()
            .filter(|choices| !choices.is_empty())
            .ok_or_else(|| SchemaError::new(&place, "at least one schema is needed"))?;
        if keyword == "allOf" && choices.len() > 1 {
            return Err(SchemaError::new(
                &place,
                "only an `allOf` of one schema is supported",
            ));
        }
        let choices = choices
            .iter()
            .enumerate()
            .map(|(index, choice)| self.expression(choice, &format!("{place}/{index}")))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(self.builder.rule(choices.join(" | ")))
    }

    fn typed(&mut self, schema: &Map<String, Value>, place: &str) -> Result<String, SchemaError> {
        match schema.get("type") {
            Some(Value::String(name)) => self.of_type(name, schema, place),
            Some(Value::Array(names)) if !names.is_empty() => {
                let choices = names
                    .iter()
                    .map(|name| self.of_type(name.as_str().unwrap_or_default(), schema, place))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(either(&choices))
            }
            Some(_) => Err(SchemaError::new(
                &format!("{place}/type"),
                "a type's name or a list of them is needed",
            )),
            None => self.of_type(implied_type(schema), schema, place),
        }
    }

    fn of_type(
        &mut self,
        name: &str,
        schema: &Map<String, Value>,
        place: &str,
    ) -> Result<String, SchemaError> {
        Ok(match name {
            "object" => self.behind_a_bracket(|converter| converter.object(schema, place))?,
            "array" => self.behind_a_bracket(|converter| converter.array(schema, place))?,
            "string" => self.text(schema, place)?,
            "number" => self.builder.primitive(Primitive::Number),
            "integer" => self.builder.primitive(Primitive::Integer),
            "boolean" => self.builder.primitive(Primitive::Boolean),
            "null" => literal("null"),
            "any" => self.builder.primitive(Primitive::Any),
            other => {
                let what = format!(
                    "`{other}` is no type; known are object, array, string, number, integer, boolean and null"
                );
                return Err(SchemaError::new(&format!("{place}/type"), what));
            }
        })
    }

    /// Converts what begins with a letter of its own, so that no reference within it can be its beginning.
    fn behind_a_bracket(
        &mut self,
        convert: impl FnOnce(&mut Self) -> Result<String, SchemaError>,
    ) -> Result<String, SchemaError> {
        let open = std::mem::take(&mut self.open);
        let converted = convert(self);
        self.open = open;
        converted
    }

    fn text(&mut self, schema: &Map<String, Value>, place: &str) -> Result<String, SchemaError> {
        let bounds = Bounds::of(schema, "minLength", "maxLength", place)?;
        if bounds.is_free() {
            return Ok(self.builder.primitive(Primitive::Text));
        }
        let letter = self.builder.primitive(Primitive::Letter);
        let body = format!(r#""\"" {letter}{} "\"""#, bounds.repetition());
        Ok(self.builder.repetition(body, bounds.copies()))
    }

    fn array(&mut self, schema: &Map<String, Value>, place: &str) -> Result<String, SchemaError> {
        let space = self.builder.primitive(Primitive::Space);
        if let Some(Value::Array(fixed)) = schema.get("prefixItems") {
            let items = fixed
                .iter()
                .enumerate()
                .map(|(index, item)| self.expression(item, &format!("{place}/prefixItems/{index}")))
                .collect::<Result<Vec<_>, _>>()?;
            let items = items.join(&format!(r#" "," {space} "#));
            return Ok(self.builder.rule(format!(r#""[" {items} "]""#)));
        }
        let item = match schema.get("items") {
            Some(items) => self.expression(items, &format!("{place}/items"))?,
            None => self.builder.primitive(Primitive::Any),
        };
        let bounds = Bounds::of(schema, "minItems", "maxItems", place)?;
        let Some(after_first) = bounds.after_first() else {
            return Ok(literal("[]"));
        };
        let item = self.builder.rule(item);
        let another = self.builder.rule(format!(r#""," {space} {item}"#));
        let items = format!("{item} {another}{}", after_first.repetition());
        let items = if bounds.least == 0 {
            format!("({items})?")
        } else {
            items
        };
        let body = format!(r#""[" {items} "]""#);
        Ok(self.builder.repetition(body, after_first.copies()))
    }
}

/// The type of a schema that names none: what its other keywords speak of.
fn implied_type(schema: &Map<String, Value>) -> &'static str {
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| schema.contains_key(*keyword));
    if has(&["properties", "required", "additionalProperties"]) {
        "object"
    } else if has(&["items", "prefixItems", "minItems", "maxItems"]) {
        "array"
    } else if has(&["minLength", "maxLength", "pattern"]) {
        "string"
    } else {
        "any"
    }
}

/// How often something may be repeated.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: u64,
    most: Option<u64>,
}

impl Bounds {
    fn of(schema: &Map<String, Value>, least: &str, most: &str, place: &str) -> Result<Self, SchemaError> {
        let read = |keyword: &str| match schema.get(keyword) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_u64().map(Some).ok_or_else(|| {
                SchemaError::new(
                    &format!("{place}/{keyword}"),
                    "a whole number from 0 up is needed",
                )
            }),
        };
        let bounds = Self {
            least: read(least)?.unwrap_or(0),
            most: read(most)?.filter(|most| *most <= LONGEST_REPETITION),
        };
        if bounds.least > bounds.most.unwrap_or(LONGEST_REPETITION) {
            let what = format!("it is above `{most}` or {LONGEST_REPETITION}");
            return Err(SchemaError::new(&format!("{place}/{least}"), what));
        }
        Ok(bounds)
    }

    fn is_free(self) -> bool {
        self.least == 0 && self.most.is_none()
    }

    /// What may follow the first of a series, or nothing when there may not even be one.
    fn after_first(self) -> Option<Self> {
        let most = match self.most {
            None => None,
            Some(most) => Some(most.checked_sub(1)?),
        };
        Some(Self {
            least: self.least.saturating_sub(1),
            most,
        })
    }

    fn copies(self) -> u64 {
        self.most.unwrap_or(self.least + 1)
    }

    fn repetition(self) -> String {
        match self.most {
            None if self.least == 0 => "*".to_owned(),
            None => format!("{{{},}}", self.least),
            Some(most) => format!("{{{},{most}}}", self.least),
        }
    }
}

//! The grammar of JSON objects: which properties, in which order, which may be left out. Never lets a property come
//! twice or out of the schema's order.

use serde_json::{Map, Value};

use super::builder::literal;
use super::primitive::Primitive;
use super::schema::{Converter, SchemaError};

/// A property in its place.
struct Property {
    /// The rule for its name, colon and value.
    pair: String,
    required: bool,
}

impl Converter<'_> {
    /// What stands for an object.
    pub(super) fn object(&mut self, schema: &Map<String, Value>, place: &str) -> Result<String, SchemaError> {
        let properties = self.properties(schema, place)?;
        if properties.is_empty() {
            return self.open_object(schema.get("additionalProperties"), place);
        }
        let body = self.members(&properties);
        Ok(self.builder.rule(format!(r#""{{" {body} "}}""#)))
    }

    /// An object whose names are free.
    fn open_object(&mut self, values: Option<&Value>, place: &str) -> Result<String, SchemaError> {
        let value = match values {
            Some(Value::Bool(false)) => return Ok(literal("{}")),
            None | Some(Value::Bool(true)) => return Ok(self.builder.primitive(Primitive::AnyObject)),
            Some(values) => self.expression(values, &format!("{place}/additionalProperties"))?,
        };
        let (text, space) = (
            self.builder.primitive(Primitive::Text),
            self.builder.primitive(Primitive::Space),
        );
        let pair = self.builder.rule(format!(r#"{text} ":" {space} {value}"#));
        Ok(self
            .builder
            .rule(format!(r#""{{" ({pair} ("," {space} {pair})*)? "}}""#)))
    }

    fn properties(&mut self, schema: &Map<String, Value>, place: &str) -> Result<Vec<Property>, SchemaError> {
        let required = required_names(schema, place)?;
        let none = Map::new();
        let declared = match schema.get("properties") {
            None => &none,
            Some(Value::Object(declared)) => declared,
            Some(_) => {
                return Err(SchemaError::new(
                    &format!("{place}/properties"),
                    "an object is needed",
                ));
            }
        };
        let mut properties = Vec::new();
        for (name, value) in declared {
            let value = self.expression(value, &format!("{place}/properties/{name}"))?;
            properties.push(self.property(name, &value, required.contains(&name.as_str())));
        }
        for name in required.iter().filter(|name| !declared.contains_key(**name)) {
            if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
                let what = format!("`{name}` is required but not among the properties");
                return Err(SchemaError::new(&format!("{place}/required"), what));
            }
            let value = self.builder.primitive(Primitive::Any);
            properties.push(self.property(name, &value, true));
        }
        Ok(properties)
    }

    fn property(&mut self, name: &str, value: &str, required: bool) -> Property {
        let name = literal(&format!("{}:", Value::from(name)));
        let space = self.builder.primitive(Primitive::Space);
        Property {
            pair: self.builder.rule(format!("{name} {space} {value}")),
            required,
        }
    }

    /// What may stand between the braces.
    ///
    /// Whether a comma comes before a property depends on whether one was written before it. So the grammar chooses the
    /// first property, which can be any up to the first required one, and the rest follows with commas.
    fn members(&mut self, properties: &[Property]) -> String {
        let tails = self.tails(properties);
        let mut choices = Vec::new();
        let mut may_be_empty = true;
        for (property, tail) in properties.iter().zip(&tails) {
            choices.push(format!("{} {tail}", property.pair));
            if property.required {
                may_be_empty = false;
                break;
            }
        }
        let choices = choices.join(" | ");
        if may_be_empty {
            format!("({choices})?")
        } else {
            format!("({choices})")
        }
    }

    /// For each property, the rule for all that may follow it.
    fn tails(&mut self, properties: &[Property]) -> Vec<String> {
        let space = self.builder.primitive(Primitive::Space);
        let mut after = String::new();
        let mut tails = Vec::new();
        for property in properties.iter().rev() {
            tails.push(after.clone());
            let with_comma = format!(r#""," {space} {}"#, property.pair);
            after = self.builder.rule(if property.required {
                format!("{with_comma} {after}")
            } else {
                format!("({with_comma})? {after}")
            });
        }
        tails.reverse();
        tails
    }
}

fn required_names<'s>(schema: &'s Map<String, Value>, place: &str) -> Result<Vec<&'s str>, SchemaError> {
    let wrong = || SchemaError::new(&format!("{place}/required"), "an array of names is needed");
    match schema.get("required") {
        None => Ok(Vec::new()),
        Some(Value::Array(listed)) => {
            let mut names = Vec::new();
            for name in listed {
                let name = name.as_str().ok_or_else(wrong)?;
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            Ok(names)
        }
        Some(_) => Err(wrong()),
    }
}

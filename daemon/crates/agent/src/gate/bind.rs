//! Gives arguments their names where the brain left them out and the schema leaves no doubt.

use serde_json::{Map, Value};

use crate::decoder::{Arguments, arguments_at};

/// The arguments as an object, or what is wrong with them.
pub(super) fn to_object(arguments: &Arguments, schema: &Value) -> Result<Map<String, Value>, String> {
    match arguments {
        Arguments::Named(named) => Ok(named.clone()),
        Arguments::Broken(why) => Err(why.clone()),
        Arguments::Single(value) => single(value, schema),
        Arguments::Listed { positional, named } => listed(positional, named, schema),
    }
}

/// The names in the order in which a function would take them: required ones first, as the schema lists them.
fn order(schema: &Value) -> Vec<&str> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let all = schema.get("properties").and_then(Value::as_object);
    let optional = all
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .filter(|name| !required.contains(name));
    required.iter().copied().chain(optional).collect()
}

fn single(value: &Value, schema: &Value) -> Result<Map<String, Value>, String> {
    let names = order(schema);
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    if let Some(named) = value.as_str().and_then(|text| keywords(text, &names)) {
        return Ok(named);
    }
    match names.first() {
        Some(name) if names.len() == 1 || required == 1 => {
            Ok(Map::from_iter([((*name).to_owned(), value.clone())]))
        }
        // A tool without arguments ignores what it is given.
        None => Ok(Map::new()),
        Some(_) => Err(format!(
            "the arguments must be a JSON object with the fields {}",
            names.join(", ")
        )),
    }
}

/// `a=2, b=3` or `query: capital of France`, if it begins with one of the names.
fn keywords(text: &str, names: &[&str]) -> Option<Map<String, Value>> {
    let begins = names.iter().any(|name| {
        let after = text.trim_start().strip_prefix(name).map(str::trim_start);
        after.is_some_and(|after| after.starts_with(['=', ':']))
    });
    match arguments_at(&format!("({text})")) {
        (Arguments::Named(named), _) if begins => Some(named),
        _ => None,
    }
}

fn listed(
    positional: &[Value],
    named: &Map<String, Value>,
    schema: &Value,
) -> Result<Map<String, Value>, String> {
    let free: Vec<&str> = order(schema)
        .into_iter()
        .filter(|name| !named.contains_key(*name))
        .collect();
    if positional.len() > free.len() {
        return Err(format!(
            "{} arguments were given, but there are only: {}",
            positional.len(),
            free.join(", ")
        ));
    }
    let given = free
        .into_iter()
        .map(str::to_owned)
        .zip(positional.iter().cloned());
    Ok(named.clone().into_iter().chain(given).collect())
}

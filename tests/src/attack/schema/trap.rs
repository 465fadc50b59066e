//! The traps: a schema each, and the arguments that are built for it.

use serde_json::{Map, Value, json};

/// A tool as its box announces it, and as the brain calls it.
#[derive(Debug)]
pub(super) struct Trap {
    pub(super) name: &'static str,
    pub(super) description: String,
    pub(super) schema: Value,
    pub(super) arguments: Value,
}

impl Trap {
    fn new(name: &'static str, schema: Value, arguments: Value) -> Self {
        Self {
            name,
            description: "Springs.".into(),
            schema,
            arguments,
        }
    }

    /// Makes one with one argument `text` that has this schema.
    fn text(name: &'static str, rule: &Value, argument: &Value) -> Self {
        let schema = json!({"type": "object", "properties": {"text": rule}, "required": ["text"]});
        Self::new(name, schema, json!({"text": argument}))
    }
}

/// Lists a harmless one, and twenty others.
pub(super) fn all() -> Vec<Trap> {
    let harmless = Trap::text("a harmless schema", &json!({"type": "string"}), &json!("abc"));
    let families = [vec![harmless], references(), patterns(), masses(), branches()];
    families.into_iter().flatten().collect()
}

fn references() -> Vec<Trap> {
    let back = json!({"$ref": "#/properties/text"});
    let chain: Map<String, Value> = (0..40)
        .map(|step| {
            let next = json!({"$ref": format!("#/$defs/d{}", step + 1)});
            (
                format!("d{step}"),
                json!({"type": "integer", "anyOf": [next, next]}),
            )
        })
        .chain([("d40".to_owned(), json!({"type": "boolean"}))])
        .collect();
    let tree = json!({"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"},
                      "text": {"type": "integer"}}});
    let deep = (0..60).fold(
        json!({"text": "abc"}),
        |inner, _| json!({"left": inner, "right": "abc", "text": "x"}),
    );
    vec![
        Trap::text(
            "a type that refers to itself twice",
            &json!({"type": "integer", "anyOf": [back, back]}),
            &json!("abc"),
        ),
        Trap::text(
            "a type that refers to itself in oneOf",
            &json!({"type": "integer", "oneOf": [back, back, back]}),
            &json!("abc"),
        ),
        Trap::text(
            "a type that refers to itself in allOf",
            &json!({"allOf": [back, back]}),
            &json!("abc"),
        ),
        Trap::new(
            "forty definitions that double each other",
            json!({"type": "object", "properties": {"text": {"$ref": "#/$defs/d0"}}, "$defs": chain}),
            json!({"text": "abc"}),
        ),
        Trap::new("a tree that refers to its root", tree, deep),
    ]
}

fn patterns() -> Vec<Trap> {
    let many: Map<String, Value> = (0..400)
        .map(|number| {
            (
                format!("a{number}"),
                json!({"type": "string", "pattern": format!(r"(\pL{{60}}|\pN{{60}}){{3}}{number}")}),
            )
        })
        .collect();
    let backwards = format!("{}!", "a".repeat(60_000));
    let named: Map<String, Value> = (0..200)
        .map(|number| (format!("^(a+)+{number}$"), json!({"type": "integer"})))
        .collect();
    vec![
        Trap::new(
            "four hundred large patterns",
            json!({"type": "object", "properties": many}),
            json!({"a1": "x"}),
        ),
        Trap::text(
            "one pattern that repeats a repetition",
            &json!({"type": "string", "pattern": "((((\\w{99}){99}){99}){99})"}),
            &json!("abc"),
        ),
        Trap::text(
            "a pattern that backtracks",
            &json!({"type": "string", "pattern": "^(a+)+$"}),
            &json!(backwards),
        ),
        Trap::text(
            "a pattern that looks ahead and backtracks",
            &json!({"type": "string", "pattern": "^(?=(a+)+$)(?!b)(a|aa)+$"}),
            &json!(backwards),
        ),
        Trap::new(
            "patterns for the names of arguments",
            json!({"type": "object", "patternProperties": named}),
            json!({"a".repeat(20_000): 1}),
        ),
    ]
}

fn masses() -> Vec<Trap> {
    let items: Vec<Value> = (0..30_000)
        .map(|number| json!({"n": number, "s": [number]}))
        .collect();
    let names: Vec<String> = (0..20_000)
        .map(|number| format!("choice number {number}"))
        .collect();
    let mut large = Trap::text(
        "a description of a megabyte",
        &json!({"type": "string", "description": "y ".repeat(200_000)}),
        &json!("abc"),
    );
    large.description = "x ".repeat(400_000);
    vec![
        Trap::text(
            "a list of many that must differ",
            &json!({"type": "array", "uniqueItems": true}),
            &json!(items),
        ),
        Trap::text(
            "a choice of twenty thousand",
            &json!({"enum": names}),
            &json!("choice number x"),
        ),
        large,
        Trap::text(
            "numbers of three hundred digits",
            &json!({"type": "number", "multipleOf": 1e-300, "minimum": -1e308}),
            &json!(1e308),
        ),
        Trap::text(
            "a list that must contain what is dear to look for",
            &json!({"type": "array", "minContains": 20_000, "contains": {"type": "string", "pattern": "^(a|aa)+$"}}),
            &json!(vec!["a".repeat(40) + "!"; 20_000]),
        ),
    ]
}

fn branches() -> Vec<Trap> {
    let deep = (0..50).fold(
        json!({"type": "integer"}),
        |inner, _| json!({"allOf": [inner, {"type": "integer"}]}),
    );
    let wide = (0..6).fold(
        json!({"type": "integer"}),
        |inner, _| json!({"anyOf": vec![inner; 5]}),
    );
    let nested = (0..50).fold(
        json!({"type": "integer"}),
        |inner, _| json!({"type": "object", "properties": {"a": inner}}),
    );
    let dependent: Map<String, Value> = (0..300)
        .map(|number| (format!("k{number}"), json!({"properties": {"text": {"$ref": "#/properties/text"}}, "required": [format!("k{}", number + 1)]})))
        .collect();
    let given: Map<String, Value> = (0..300)
        .map(|number| (format!("k{number}"), json!("x")))
        .collect();
    let branch = json!({"type": "object", "properties": {"x": {"type": "integer"}}});
    vec![
        Trap::text("a deep nest of allOf", &deep, &json!("abc")),
        Trap::text("branches of branches", &wide, &json!("abc")),
        Trap::text("objects fifty deep", &nested, &json!({"a": {"a": {"a": "abc"}}})),
        Trap::new(
            "arguments that depend on each other",
            json!({"type": "object", "properties": {"text": {"type": "integer"}}, "dependentSchemas": dependent}),
            Value::Object(given.clone()),
        ),
        Trap::new(
            "what is left unevaluated by a hundred branches",
            json!({"type": "object", "anyOf": vec![branch; 100], "unevaluatedProperties": {"type": "integer"}}),
            Value::Object(given),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_beside_the_harmless_one() {
        assert_eq!(all().len(), 21);
    }
}

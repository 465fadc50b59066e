//! The facts that can be asked for, and how each is written down.
//!
//! Their words in the languages of people are in the lists `fact.value` and `unit.value`.

use jiff::civil::Date;
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fact {
    /// Its name in the lists.
    pub(super) name: &'static str,
    /// Where it is written; of several, the first that a thing has.
    pub(super) properties: &'static [&'static str],
}

/// All of them.
pub(super) const FACTS: &[Fact] = &[
    Fact {
        name: "height",
        properties: &["P2048", "P2044"],
    },
    Fact {
        name: "length",
        properties: &["P2043"],
    },
    Fact {
        name: "weight",
        properties: &["P2067"],
    },
    Fact {
        name: "area",
        properties: &["P2046"],
    },
    Fact {
        name: "population",
        properties: &["P1082"],
    },
    Fact {
        name: "capital",
        properties: &["P36"],
    },
    Fact {
        name: "age",
        properties: &["P569"],
    },
    Fact {
        name: "birth",
        properties: &["P569"],
    },
    Fact {
        name: "birthplace",
        properties: &["P19"],
    },
    Fact {
        name: "death",
        properties: &["P570"],
    },
    Fact {
        name: "deathplace",
        properties: &["P20"],
    },
    Fact {
        name: "founding",
        properties: &["P571"],
    },
    Fact {
        name: "currency",
        properties: &["P38"],
    },
    Fact {
        name: "language",
        properties: &["P37"],
    },
    Fact {
        name: "continent",
        properties: &["P30"],
    },
    Fact {
        name: "head of state",
        properties: &["P35"],
    },
    Fact {
        name: "head of government",
        properties: &["P6"],
    },
    Fact {
        name: "author",
        properties: &["P50"],
    },
    Fact {
        name: "spouse",
        properties: &["P26"],
    },
    Fact {
        name: "country",
        properties: &["P17"],
    },
];

/// What is written down.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Written {
    /// A number, and the id of what it counts.
    Amount(f64, Option<String>),
    Day(Date),
    Year(i16),
    /// It is another thing, by its id.
    Thing(String),
}

/// The value that counts among the statements of a property: the preferred one, or else the latest.
pub(super) fn written(statements: &[Value]) -> Option<Written> {
    let rank = |statement: &&Value| {
        statement
            .get("rank")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let of_rank = |wanted: &str| statements.iter().rfind(|statement| rank(statement) == wanted);
    let statement = of_rank("preferred").or_else(|| of_rank("normal"))?;
    let value = statement.pointer("/mainsnak/datavalue/value")?;
    if let Some(amount) = value.get("amount") {
        let amount: f64 = amount.as_str()?.parse().ok()?;
        let unit = value.get("unit").and_then(Value::as_str).and_then(id);
        return amount.is_finite().then_some(Written::Amount(amount, unit));
    }
    if let Some(time) = value.get("time") {
        return moment(time.as_str()?, value.get("precision")?.as_u64()?);
    }
    id(value.get("id")?.as_str()?).map(Written::Thing)
}

/// The id at the end of an address: `Q42`.
fn id(text: &str) -> Option<String> {
    let id = text.rsplit('/').next()?;
    let number = id.strip_prefix('Q')?;
    let is_id = (1..=12).contains(&number.len()) && number.chars().all(|digit| digit.is_ascii_digit());
    is_id.then(|| id.to_owned())
}

/// `+1815-12-10T00:00:00Z`; what is less exact than a day is told by its year.
fn moment(text: &str, precision: u64) -> Option<Written> {
    const YEAR: u64 = 9;
    const DAY: u64 = 11;
    let text = text.strip_prefix('+')?;
    match precision {
        DAY.. => text.get(..10)?.parse().ok().map(Written::Day),
        YEAR.. => text.get(..4)?.parse().ok().map(Written::Year),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::{Written, written};

    fn statement(rank: &str, value: &Value) -> Value {
        json!({"rank": rank, "mainsnak": {"snaktype": "value", "datavalue": {"value": value}}})
    }

    #[test]
    fn values_are_read() {
        for (value, expected) in [
            (
                json!({"amount": "+330", "unit": "http://www.wikidata.org/entity/Q11573"}),
                Some(Written::Amount(330.0, Some("Q11573".to_owned()))),
            ),
            (
                json!({"amount": "+83577140", "unit": "1"}),
                Some(Written::Amount(83_577_140.0, None)),
            ),
            (
                json!({"time": "+1815-12-10T00:00:00Z", "precision": 11}),
                Some(Written::Day(date(1815, 12, 10))),
            ),
            (
                json!({"time": "+1815-12-00T00:00:00Z", "precision": 10}),
                Some(Written::Year(1815)),
            ),
            (json!({"time": "-0044-03-15T00:00:00Z", "precision": 11}), None),
            (json!({"time": "+1800-00-00T00:00:00Z", "precision": 7}), None),
            (json!({"id": "Q90"}), Some(Written::Thing("Q90".to_owned()))),
            (json!({"id": "Q90|Q1"}), None),
            (json!({"amount": "many"}), None),
            (json!("text"), None),
        ] {
            assert_eq!(written(&[statement("normal", &value)]), expected, "{value}");
        }
    }

    #[test]
    fn the_preferred_statement_counts() {
        let [first, last] = [json!({"id": "Q1"}), json!({"id": "Q2"})];
        let thing = |id: &str| Some(Written::Thing(id.to_owned()));
        assert_eq!(
            written(&[statement("preferred", &first), statement("normal", &last)]),
            thing("Q1")
        );
        assert_eq!(
            written(&[statement("normal", &first), statement("normal", &last)]),
            thing("Q2")
        );
        assert_eq!(written(&[statement("deprecated", &first)]), None);
        assert_eq!(
            written(&[json!({"rank": "normal", "mainsnak": {"snaktype": "somevalue"}})]),
            None
        );
    }
}

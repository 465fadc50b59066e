//! `[budget]`: the limits of a turn unless the persona sets its own.

use std::ops::RangeInclusive;

use loquat_agent::turn::Budget;
use loquat_settings::form::Form;
use loquat_settings::section::{Key, Section};

/// The table of [`Budget`], whose fields belong to the agent.
#[derive(Debug, Clone, Copy)]
pub struct BudgetTable;

impl Section for BudgetTable {
    const DOC: &'static str =
        "Limits of one turn, unless the persona sets its own. The first that is hit wins.\n";
    const TABLE: &'static str = "budget";

    fn keys() -> Vec<Key> {
        let default = Budget::default();
        vec![
            key::<u32>(
                "max_iterations",
                "Brain calls that may ask for tools; after the last one more is made, with tools withheld.\n",
                1.0..=100.0,
                toml::Value::try_from(default.max_iterations).ok(),
            ),
            key::<u32>(
                "max_tool_calls",
                "Tool calls.\n",
                0.0..=1000.0,
                toml::Value::try_from(default.max_tool_calls).ok(),
            ),
            key::<Option<u64>>(
                "max_tokens",
                "Prompt and completion tokens together.\nAbsent: unlimited.\n",
                1.0..=1e9,
                default
                    .max_tokens
                    .and_then(|tokens| toml::Value::try_from(tokens).ok()),
            ),
            Key {
                example: Some(toml::Value::from(0.05)),
                ..key::<Option<f64>>(
                    "max_cost",
                    "What the brain's tokens may cost, in the currency of its `prompt_price` and `completion_price`.\nAbsent: unlimited.\n",
                    0.0..=1e6,
                    None,
                )
            },
            key::<u64>(
                "deadline_seconds",
                "Wall clock, in seconds; at the end the best answer so far is given.\n",
                1.0..=86_400.0,
                toml::Value::try_from(default.deadline_seconds).ok(),
            ),
        ]
    }
}

fn key<Value: Form>(
    name: &'static str,
    doc: &'static str,
    bounds: RangeInclusive<f64>,
    default: Option<toml::Value>,
) -> Key {
    Key {
        table: BudgetTable::TABLE,
        name,
        doc,
        form: Value::expected(),
        is_text: Value::is_text(),
        words: Vec::new(),
        is_secret: Value::is_secret(),
        bounds: Some((*bounds.start(), *bounds.end())),
        example: default.is_none().then(|| toml::Value::from(20_000)),
        default,
    }
}

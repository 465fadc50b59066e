//! The tools as a brain calls them, where it chose the wrong one.

use std::sync::Arc;

use loquat_agent::toolbox::{Circumstances, Toolbox};
use serde_json::{Map, Value, json};

use crate::locale::Locales;

async fn evaluated(expression: &str) -> Result<Value, String> {
    let arguments = Map::from_iter([("expression".to_owned(), json!(expression))]);
    let toolbox = super::toolbox(&Arc::new(Locales::embedded()));
    let person = Circumstances::default();
    match toolbox.call("evaluate_expression", arguments, &person).await {
        Ok(outcome) => Ok(outcome.result["result"].clone()),
        Err(error) => Err(error.to_string()),
    }
}

#[tokio::test]
async fn an_equation_with_one_solution_has_that_result() {
    assert_eq!(evaluated("3x + 7 = 40").await, Ok(json!(11)));
    assert_eq!(evaluated("x = 2.5 * 3").await, Ok(json!(7.5)));
}

#[tokio::test]
async fn any_other_equation_is_sent_to_its_own_tool() {
    for equation in ["x^2 = 4", "2 = 3", "x^2 = -1", "2^x = 8"] {
        let error = evaluated(equation).await.expect_err(equation);
        let is_sent_on =
            error.contains("equations are for solve_equation") || error.contains("unknown name 'x'");
        assert!(is_sent_on, "{error}");
    }
    // Half an equation is none.
    let error = evaluated("x + 5").await.expect_err("there is nothing to solve");
    assert!(error.contains("unknown name 'x'"), "{error}");
}

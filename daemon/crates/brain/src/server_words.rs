//! A server's complaint, taken apart and matched with the words of the usual servers. Makes no error of it.

use serde_json::Value;

/// A server's complaint, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ServerWords {
    /// Its sentence, or the whole body where no sentence can be found. It is for matching only.
    pub(crate) text: String,
    /// It is `error.code` or `error.type`, in lower case.
    pub(crate) code: String,
    /// It is `error.param`.
    pub(crate) parameter: String,
}

impl ServerWords {
    /// Reads an error body: OpenAI's form, several near ones, or plain text.
    pub(crate) fn read(body: &str) -> Self {
        match serde_json::from_str::<Value>(body) {
            Ok(value) => Self::of(&value),
            Err(_) if body.trim_start().starts_with('<') => Self {
                text: "it sent an HTML page".to_owned(),
                ..Self::default()
            },
            Err(_) => Self {
                text: body.to_owned(),
                ..Self::default()
            },
        }
    }

    /// Reads the error that a body holds.
    pub(crate) fn of(body: &Value) -> Self {
        // Some servers put it into a list of one.
        let body = body.as_array().and_then(|list| list.first()).unwrap_or(body);
        let error = body.get("error").unwrap_or(body);
        let text = |name: &str| match error.get(name) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let sentence = error.as_str().map(str::to_owned);
        let code = [text("code"), text("type")]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
        Self {
            text: sentence
                .or_else(|| text("message"))
                .or_else(|| text("detail"))
                .unwrap_or_else(|| body.to_string()),
            code: code.join(" ").to_lowercase(),
            parameter: text("param").unwrap_or_default(),
        }
    }

    fn says(&self, needles: &[&str]) -> bool {
        let text = self.text.to_lowercase();
        needles
            .iter()
            .any(|needle| text.contains(needle) || self.code.contains(needle))
    }

    /// Tells whether the conversation is longer than the model's window, in the words of the usual servers.
    pub(crate) fn is_context_too_long(&self) -> bool {
        self.says(&[
            "context_length",
            "exceed_context_size",
            "context length",
            "context size",
            "context window",
            "maximum context",
            "context limit",
            "prompt is too long",
            "prompt too long",
            "input is too long",
            "too many tokens",
            "reduce the length",
            "string_above_max_length",
        ])
    }

    /// Tells whether the account, not the moment, is at its end.
    pub(crate) fn is_out_of_credit(&self) -> bool {
        self.says(&["insufficient_quota", "billing", "credit", "payment"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_of_all_shapes_are_read() {
        for (body, text, code, parameter) in [
            (
                r#"{"error": {"message": "no", "type": "t", "code": "C", "param": "p"}}"#,
                "no",
                "c t",
                "p",
            ),
            (
                r#"{"error": {"message": "no", "code": 400, "type": null}}"#,
                "no",
                "400",
                "",
            ),
            (r#"{"error": "no"}"#, "no", "", ""),
            (r#"{"message": "no"}"#, "no", "", ""),
            (r#"{"detail": "no"}"#, "no", "", ""),
            (r#"{"detail": [1]}"#, r#"{"detail":[1]}"#, "", ""),
            ("no", "no", "", ""),
            (" <html>no</html>", "it sent an HTML page", "", ""),
        ] {
            let expected = ServerWords {
                text: text.into(),
                code: code.into(),
                parameter: parameter.into(),
            };
            assert_eq!(ServerWords::read(body), expected, "{body}");
        }
    }
}

//! `[telemetry]`: the collector to which spans of turns are sent.

use loquat_settings::form::Form;
use loquat_settings::section;
use serde::{Deserialize, Serialize};

/// The collector's address, without the path that OTLP adds to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CollectorUrl(String);

impl CollectorUrl {
    /// Gives the address to which spans are posted.
    pub fn traces(&self) -> String {
        format!("{}/v1/traces", self.0.trim_end_matches('/'))
    }
}

impl TryFrom<String> for CollectorUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, String> {
        let parsed = reqwest::Url::parse(&url).map_err(|error| error.to_string())?;
        let is_bare = parsed.query().is_none() && parsed.fragment().is_none() && parsed.username().is_empty();
        if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() && is_bare {
            Ok(Self(url))
        } else {
            Err("an address with http:// or https://".to_owned())
        }
    }
}

impl From<CollectorUrl> for String {
    fn from(CollectorUrl(url): CollectorUrl) -> Self {
        url
    }
}

impl Form for CollectorUrl {
    fn expected() -> String {
        "an address with http:// or https://, as in \"http://127.0.0.1:4318\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

section! {
    /// OpenTelemetry: a span for each turn, each call of a brain and each call of a tool, with the names of the
    /// conventions for generative models.
    "telemetry" Telemetry {
        /// The collector, which takes OTLP over HTTP as JSON.
        /// Absent: nothing is sent anywhere.
        endpoint: Option<CollectorUrl> = None, eg "http://127.0.0.1:4318";
        /// Whether what people said, what was answered and what tools were given and gave goes along.
        /// Without it a span holds names, counts, times and outcomes.
        content: bool = false;
    }
}

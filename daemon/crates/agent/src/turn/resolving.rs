//! Finding what a call means before a person is asked about it and before it runs: which things a name stands for, and
//! whether any of them may do harm. What was found is what runs. Nothing here runs the call itself.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::agreeing::Agreeing;
use crate::gate::{Admitted, Need, Refusal, unasked};
use loquat_conversation::toolbox::{Resolved, ToolError};

impl Agreeing<'_> {
    /// The call with what its toolbox finds that it means, if need be without what was made up; as it is where its tool needs
    /// no finding.
    pub(super) async fn resolve(&mut self, index: usize, admitted: Admitted) -> Result<Admitted, Refusal> {
        let Some(by) = admitted.entry.tool.resolved_by.clone() else {
            return Ok(admitted);
        };
        let refusal = match self.meant(index, &by, admitted.clone()).await {
            Err(refusal) if refusal.mistake => refusal,
            resolved => return resolved,
        };
        match self.made_up().without_several(&admitted) {
            Some(spared) => self.meant(index, &by, spared).await.map_err(|_| refusal),
            None => Err(refusal),
        }
    }

    async fn meant(&mut self, index: usize, by: &str, admitted: Admitted) -> Result<Admitted, Refusal> {
        let call_id = self.work.ledger.call_id(index);
        let found = self.found(by, &call_id, &admitted).await;
        if let Err(complaint) = &found {
            self.resources.note_unresolved(&admitted, complaint);
        }
        let resolved = found.map_err(|error| Refusal {
            text: error.to_string(),
            mistake: matches!(error, ToolError::Reply { .. }),
        })?;
        let asks = resolved.asks || admitted.consent == Need::Consent;
        if asks && self.resources.person.is_none() {
            return Err(Refusal {
                text: unasked(&admitted.entry, false),
                mistake: false,
            });
        }
        let arguments = Arc::new(resolved.arguments);
        if let Some(record) = self.work.ledger.call(index) {
            record.arguments = Arc::clone(&arguments);
        }
        Ok(Admitted {
            arguments,
            told: Some(Arc::new(resolved.told)),
            consent: if asks { Need::Consent } else { admitted.consent },
            ..admitted
        })
    }

    async fn found(&self, by: &str, call_id: &str, admitted: &Admitted) -> Result<Resolved, ToolError> {
        let entry = &admitted.entry;
        let asked = [
            ("tool".to_owned(), json!(entry.tool.name)),
            (
                "arguments".to_owned(),
                Value::Object(admitted.arguments.as_ref().clone()),
            ),
        ];
        let circumstances = self
            .resources
            .circumstances(call_id, self.work.ledger.spending.left());
        let call = async {
            entry
                .toolbox
                .call(by, Map::from_iter(asked), &circumstances)
                .await
        };
        let patience = entry.tool.timeout + entry.toolbox.overhead();
        let outcome = match timeout(patience, AssertUnwindSafe(call).catch_unwind()).await {
            Ok(Ok(outcome)) => outcome?,
            Ok(Err(_)) => return Err(ToolError::reply("InternalError", "the tool crashed")),
            Err(_) => return Err(ToolError::timed_out(entry.tool.timeout)),
        };
        serde_json::from_value(Value::Object(outcome.result)).map_err(|error| {
            ToolError::Fault(format!(
                "'{by}' of toolbox '{}' resolved nothing: {error}",
                entry.toolbox.id()
            ))
        })
    }
}

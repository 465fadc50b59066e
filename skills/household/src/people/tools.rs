//! What the tools take and do. Keeping is the work of the residents.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::records::Unkept;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gaps::{LONGEST, is_name};
use super::residents::Residents;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Called {
    /// As in "Ana".
    name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Unnaming {
    /// The name that is not theirs, as a sentence may say it.
    #[serde(default, rename = "name")]
    #[schemars(skip)]
    _name: Option<String>,
}

/// What the person who speaks is called.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Spoken {
    /// Absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Spoken {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

impl Spoken {
    fn of(name: Option<String>, dialog: &'static str) -> Self {
        let told = Telling::new(dialog);
        let told = match &name {
            Some(name) => told.words("name", name.as_str()),
            None => told,
        };
        Self { name, told }
    }
}

pub(super) fn name(
    residents: Arc<Residents>,
    asked: Called,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Spoken, ToolError>> {
    async move {
        let name = asked.name.trim();
        if !is_name(name) {
            let rule = format!("name: write the name of a person, in at most {LONGEST} letters");
            return Err(ToolError::reply("ValueError", rule));
        }
        if !residents.may_name(person) {
            return Err(not_the_owner());
        }
        let is_kept = residents.name(name, person).await.map_err(unkept)?;
        let known = residents.in_session(&person.session_id).map(|named| named.name);
        Ok(if is_kept {
            Spoken::of(known, "named")
        } else {
            Spoken::of(known, "named_by_settings")
        })
    }
    .boxed()
}

pub(super) fn tell(
    residents: Arc<Residents>,
    _: Nothing,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Spoken, ToolError>> {
    async move {
        let known = residents.in_session(&person.session_id).map(|named| named.name);
        let dialog = if known.is_some() { "known" } else { "unknown" };
        Ok(Spoken::of(known, dialog))
    }
    .boxed()
}

pub(super) fn forget(
    residents: Arc<Residents>,
    _: Unnaming,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Spoken, ToolError>> {
    async move {
        if !residents.may_name(person) {
            return Err(not_the_owner());
        }
        residents.forget(&person.session_id).await.map_err(unkept)?;
        let known = residents.in_session(&person.session_id).map(|named| named.name);
        let dialog = if known.is_some() {
            "named_by_settings"
        } else {
            "forgotten"
        };
        Ok(Spoken::of(known, dialog))
    }
    .boxed()
}

fn not_the_owner() -> ToolError {
    ToolError::reply(
        "PermissionError",
        "in the device's own conversation the owner alone says who speaks",
    )
}

fn unkept(error: Unkept) -> ToolError {
    ToolError::reply(
        "OSError",
        format!("the name holds until the next restart, since {error}"),
    )
}

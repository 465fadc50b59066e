//! What the tools take and do. Choosing rooms and reaching them is the work of the exchange.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::caller::Caller;
use super::exchange::{Intercom, LONGEST};
use super::results::{Announced, Reached};
use super::said::Aim;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Announcing {
    /// What is to be said there, as in "dinner is ready".
    #[serde(default)]
    message: String,
    /// Room, or the person to whom; default: all other rooms.
    #[serde(default)]
    room: Option<String>,
    /// Whether it is for one other room of which was not said which.
    #[serde(default)]
    #[schemars(skip)]
    elsewhere: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Reply {
    /// What is to be said there.
    #[serde(default)]
    message: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

pub(super) fn announce(
    intercom: Arc<Intercom>,
    asked: Announcing,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Announced, ToolError>> {
    let room = asked.room.filter(|room| !room.trim().is_empty());
    let aim = match room {
        Some(room) => Aim::Room(room),
        None if asked.elsewhere => Aim::Elsewhere,
        None => Aim::Everywhere,
    };
    async move { say(&intercom, &asked.message, aim, person).await }.boxed()
}

pub(super) fn reply(
    intercom: Arc<Intercom>,
    asked: Reply,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Announced, ToolError>> {
    async move { say(&intercom, &asked.message, Aim::Back, person).await }.boxed()
}

async fn say(
    intercom: &Intercom,
    message: &str,
    aim: Aim,
    person: &Circumstances,
) -> Result<Announced, ToolError> {
    let message = message.trim();
    if message.chars().count() > LONGEST {
        let rule = format!("message: write what is to be said, in at most {LONGEST} characters");
        return Err(ToolError::reply("ValueError", rule));
    }
    let caller = Caller::of(person, intercom.residents());
    // Where nothing can be said is told before it is asked what to say.
    if let Some(trouble) = intercom.trouble(&caller, &aim) {
        return Ok(trouble.into());
    }
    if message.is_empty() {
        return Ok(Announced::asking("ask_message"));
    }
    Ok(intercom.say(&caller, message, &aim).await.into())
}

pub(super) fn rooms(
    intercom: Arc<Intercom>,
    _: Nothing,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Reached, ToolError>> {
    async move {
        let caller = Caller::of(person, intercom.residents());
        let rooms = intercom.rooms(&caller);
        Ok(Reached::of(rooms))
    }
    .boxed()
}

//! For whom a tool runs, and within which limits.

use std::time::Duration;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::consent::Reachable;
use crate::intended::Phrasing;
use crate::pieces::Pieces;
use crate::speaker::Speaker;

/// Says for whom and under which circumstances a tool runs.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// It belongs to this session.
    pub session_id: String,
    /// The speaker; a program for a call that came straight from the bus.
    pub speaker: Speaker,
    /// The id of the turn; empty for a call that came straight from the bus.
    pub turn_id: String,
    /// Identifies this call within the turn.
    pub call_id: String,
    /// Language of the answer, BCP-47.
    pub lang: Option<String>,
    /// The units, `metric` or `imperial`; absent where they are not known.
    pub units: Option<String>,
    /// The channel by which it was asked, for example `voice`; absent for a call that came straight from the bus.
    pub channel: Option<String>,
    /// The name of the persona that answers, where that is known.
    pub persona: Option<String>,
    /// IANA name of the person's time zone.
    pub time_zone: Option<String>,
    /// `half` (12 h) or `full` (24 h), as OVOS calls them.
    pub time_format: Option<String>,
    /// The order of a date, `MDY`, `DMY` or `YMD`; absent where it is not known.
    pub date_format: Option<String>,
    /// The keys of a frame that bring what is told to the person, where that needs any.
    pub route: Map<String, Value>,
    /// The dialog in which the result is to be told; without one, the tool's own.
    pub dialog: Option<String>,
    /// The sentence of others that tells the result where the tool has no words in the language.
    pub phrasing: Option<Phrasing>,
    /// The fields that the previous tool handed on. They are never shown to a brain.
    pub extras: Map<String, Value>,
    /// Takes what the tool tells while it works.
    pub pieces: Pieces,
    /// Takes in a few words how far the call is; no part of its result.
    pub progress: Pieces,
    /// The person who can be asked in the middle of the call. The daemon sets it for toolboxes that do.
    pub person: Reachable,
    /// The name of the persona that answers, where it asks nothing outside of the device.
    pub offline: Option<String>,
    /// The limits that the turn has left, for a tool that thinks itself; absent for a call that came straight from
    /// the bus.
    pub left: Option<Left>,
    /// Says whether the turn has taken in what strangers wrote, so that the arguments may be theirs; those of a call
    /// that a sentence asked for are the person's own words whatever was read before.
    pub is_tainted: bool,
    /// Says whether the person has said yes to this very call. Nothing but the turn that asked sets it.
    pub is_consented: bool,
    /// Cancelled when the turn stops; the tool has to end promptly.
    pub cancel: CancellationToken,
}

/// Says what is left of the limits of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Left {
    /// The wall clock time that is left.
    pub time: Duration,
    /// The tokens that are left; absent where they are not limited.
    pub tokens: Option<u64>,
    /// Cost in the currency of the brain's prices, where it is limited.
    pub cost: Option<f64>,
}

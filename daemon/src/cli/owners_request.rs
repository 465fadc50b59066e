//! What the owner asks of the running daemon at the command line, over the bus, with their word for it where it needs that.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use loquat_part::owners_word::OwnersWord;
use loquat_wire::Message;

use super::Context;
use crate::link;
use crate::settings::bus_address;
use crate::supervisor::Supervisor;

/// Sends it and waits for the answer, no longer than this. The word is given for the topic.
pub(super) async fn answer_to(
    context: &Context,
    request: Message,
    needs_word: bool,
    patience: Duration,
) -> Result<Message> {
    let supervisor = Supervisor::new();
    let answer = asked(context, &supervisor, request, needs_word, patience).await;
    supervisor.end_back().await;
    answer
}

async fn asked(
    context: &Context,
    supervisor: &Supervisor,
    request: Message,
    needs_word: bool,
    patience: Duration,
) -> Result<Message> {
    let settings = &context.settings;
    if !link::answers(&bus_address(settings)).await {
        bail!("failed to reach the daemon: no bus answers; start it with: loquat run");
    }
    let (bus, ..) = link::join(&settings.bus, bus_address(settings), supervisor).await;
    let word = OwnersWord::in_folder(&settings.folders.state);
    if needs_word {
        let given = word.give(&request.topic).await;
        given.with_context(|| {
            let folder = settings.folders.state.display();
            format!("failed to write in {folder}, which shows the daemon that its owner asks; run this as the user whose daemon it is")
        })?;
    }
    let answer = bus.request(request, None, patience).await;
    word.take_back().await;
    answer.context("failed to reach the daemon: no Loquat answers on the bus")
}

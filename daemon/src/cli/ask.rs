//! `loquat ask`: one question, one answer, and an exit code that a script can use.
//!
//! With a daemon or an ovos-core on the bus the question goes there; otherwise this process answers it by itself and
//! ends.

use std::time::Duration;

use anyhow::Result;
use futures_util::future::select_ok;
use loquat_bus::Bus;
use loquat_failure::with_causes;
use loquat_part::owners_word::{COMMAND_LINE, OwnersWord};
use loquat_part::question::{Addressee, Answer, Outcome, Question, Unanswered};
use loquat_phrases::Phrases;
use loquat_wire::{Message, topic};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio_util::sync::CancellationToken;

use super::arguments::Ask;
use super::{Context, Exit, Output, Style};
use crate::app::{App, Place, Roll};
use crate::events::Hub;
use crate::link::{self, Joined};
use crate::settings::bus_address;
use crate::settings::wording::did_you_mean;
use crate::supervisor::Supervisor;
use crate::terminal;

/// A daemon answers at once; a busy core within this.
const PATIENCE: Duration = Duration::from_secs(1);

/// Carries out `loquat ask`.
pub(super) async fn run(context: Context, ask: Ask) -> Result<Exit> {
    if ask.question.is_empty() {
        return chat(&context, &ask.addressee).await;
    }
    put(&context, &ask.question.join(" "), &ask.addressee).await
}

/// Puts each line of the input, one after the other. The exit code is that of the last one.
async fn chat(context: &Context, to: &Addressee) -> Result<Exit> {
    let output = context.output;
    if !link::answers(&bus_address(&context.settings)).await {
        output.remark("loquat: nobody is there to chat with; start Loquat first: loquat run");
        return Ok(Exit::Taken);
    }
    let mut outcome = Exit::Ok;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    loop {
        if output.is_terminal() {
            output.question("› ");
        }
        let Some(line) = lines.next_line().await? else {
            return Ok(outcome);
        };
        if !line.trim().is_empty() {
            outcome = Box::pin(put(context, line.trim(), to)).await?;
        }
    }
}

/// Puts a question to the daemon or a core, and prints the answer.
pub(super) async fn put(context: &Context, text: &str, to: &Addressee) -> Result<Exit> {
    let (settings, output) = (&context.settings, context.output);
    let supervisor = Supervisor::new();
    let there = link::answers(&bus_address(settings)).await;
    let bus = if there {
        Some(link::join(&settings.bus, bus_address(settings), &supervisor).await)
    } else {
        None
    };
    let answered = match bus {
        Some((bus, ..)) if somebody_answers(&bus).await => converse(&bus, context, text, to).await,
        Some((bus, address, joined)) => {
            let place = Place::on(settings, supervisor.clone(), bus, address, joined);
            alone(context, place, text, to).await
        }
        None => match link::private(&settings.bus, bus_address(settings), &supervisor) {
            Some((bus, address)) => {
                let place = Place::on(settings, supervisor.clone(), bus, address, Joined::Ours);
                alone(context, place, text, to).await
            }
            None => Err(Unanswered::NoBus),
        },
    };
    supervisor.end_front().await;
    supervisor.end_back().await;
    Ok(match answered {
        Ok(answer) => tell(context, text, to, answer),
        Err(error) => {
            output.remark(format!("loquat: {}", with_causes(&error)));
            match error {
                Unanswered::Endless => Exit::Late,
                _ => Exit::Taken,
            }
        }
    })
}

/// Prints an answer, and gives the exit code for how the question came out.
fn tell(context: &Context, question: &str, to: &Addressee, answer: Answer) -> Exit {
    let output = context.output;
    let Answer { text, outcome } = answer;
    let is_silent = text.is_empty();
    output.line(&text);
    output.value(&json!({"question": question, "answer": text, "outcome": outcome}));
    // A person who wants nothing any more has no answer to wait for.
    let is_dismissal = || {
        let phrases = Phrases::of(&context.settings.mycroft.lang);
        phrases.orders.is_dismissal(question)
    };
    let is_unanswered = is_silent && !is_dismissal();
    if is_unanswered {
        output.remark("loquat: nobody answered");
    }
    match outcome {
        Outcome::Answered if is_unanswered => Exit::Failed,
        Outcome::Answered => Exit::Ok,
        Outcome::Unknown => {
            tell_of_persona(context, to);
            Exit::Failed
        }
        Outcome::Late => Exit::Late,
        Outcome::Refused => Exit::Refused,
    }
}

/// Says which persona may have been meant, where none has the name that was typed.
fn tell_of_persona(context: &Context, to: &Addressee) {
    let Some(name) = &to.persona else { return };
    let roll = Roll::of(&context.settings, &context.environment);
    if roll.personas.find(name).is_none() {
        let names: Vec<&str> = roll
            .personas
            .iter()
            .map(|persona| persona.name.as_str())
            .collect();
        let meant = did_you_mean(name, &names);
        context
            .output
            .remark(format!("loquat: there is no persona {name:?}; {meant}"));
    }
}

/// Tells whether a Loquat or an ovos-core is there to answer.
async fn somebody_answers(bus: &Bus) -> bool {
    let ask = |service| bus.request(Message::new(topic::is_ready(service), json!({})), None, PATIENCE);
    select_ok([Box::pin(ask("loquat")), Box::pin(ask("intents"))])
        .await
        .is_ok()
}

async fn converse(bus: &Bus, context: &Context, text: &str, to: &Addressee) -> Result<Answer, Unanswered> {
    let word = OwnersWord::in_folder(&context.settings.folders.state);
    let lang = &context.settings.mycroft.lang;
    let asked = Question::put_by_owner(bus, COMMAND_LINE, &word, text, to, lang).await?;
    let answer = asked.answer().await;
    word.take_back().await;
    answer
}

/// Answers in this process, showing what happens.
async fn alone(context: &Context, place: Place, text: &str, to: &Addressee) -> Result<Answer, Unanswered> {
    let app = Box::pin(App::on_bus(&context.settings, &context.environment, place, None)).await;
    for complaint in app.complaints.iter().filter(|complaint| complaint.is_refusal()) {
        context.output.remark(format!("loquat: {complaint}"));
    }
    // Who asks here reads the answer here.
    app.place.hub.body().grow(|| true);
    let shown = CancellationToken::new();
    let show = show(app.place.hub.clone(), context.output, shown.clone());
    let answer = async {
        let answer = converse(&app.place.bus, context, text, to).await;
        shown.cancel();
        answer
    };
    let (answer, ()) = tokio::join!(answer, show);
    app.stop().await;
    answer
}

/// Shows what happens in the turn until cancelled.
async fn show(hub: Hub, output: Output, cancel: CancellationToken) {
    let mut news = hub.subscribe();
    loop {
        tokio::select! {
            biased;
            heard = news.recv() => if let Ok(news) = heard {
                if output.is_terminal() && let Some(line) = terminal::shown(&news.event) { output.styled(Style::Dim, line) }
            },
            () = cancel.cancelled() => return,
        }
    }
}

//! `loquat hive`: the satellites of HiveMind that may come in, and what each may do. Keys are shown once, when they are made.

mod ids;

use std::sync::Arc;

use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::command::{Command, CommandContext, Outcome};
use loquat_part::output::{Exit, Output, Style};
use serde_json::json;

use self::ids::UnknownError;
pub use self::ids::{Known, Names};
use super::access::{Access, AccessError, Standing, StandingError};
use super::asking::{self, AskError};
use super::clients::{Client, Clients, ClientsError};
use super::hub::{Hub, HubError};
use super::settings::Hive;

/// List, add, change or remove the HiveMind satellites of this device, or ask the hive that it has joined.
#[derive(Debug, Args)]
struct HiveArguments {
    /// What to do with them; they are listed if absent.
    #[command(subcommand)]
    command: Option<HiveOrder>,
}

/// What to do with the satellites of HiveMind.
#[derive(Debug, Subcommand)]
enum HiveOrder {
    /// List the satellites, and what each may do.
    List,
    /// Add a satellite: makes its keys and prints them. They are shown only this once.
    Add {
        /// Name of the satellite, as in kitchen.
        name: String,
        /// What it may do.
        #[command(flatten)]
        access: HiveAccess,
    },
    /// Set a satellite's room, person and quiet hours.
    Place {
        /// Name of the satellite.
        name: String,
        /// Where, and whose.
        #[command(flatten)]
        place: HivePlace,
    },
    /// Remove a satellite and end its connection.
    Remove {
        /// Name of the satellite.
        name: String,
    },
    /// Allow a satellite to send messages of these topics.
    Allow {
        /// Name of the satellite.
        name: String,
        /// The topics, as in speak.
        #[arg(required = true)]
        topics: Vec<String>,
    },
    /// Forbid a satellite to send messages of these topics.
    Deny {
        /// Name of the satellite.
        name: String,
        /// The topics, as in speak.
        #[arg(required = true)]
        topics: Vec<String>,
    },
    /// Forget which machine used a satellite's keys, so that another machine may use them.
    Forget {
        /// Name of the satellite; without one, the hive that this device has joined is forgotten.
        name: Option<String>,
    },
    /// Ask the hive that hive.join names one question, and print the answer.
    Ask {
        /// The question.
        #[arg(required = true, num_args = 1..)]
        question: Vec<String>,
    },
}

/// What a satellite may do, beside asking, stopping and having speech made.
#[derive(Debug, Default, Args)]
struct HiveAccess {
    /// Allow it to send messages of this topic; may be given several times.
    #[arg(long, value_name = "TOPIC")]
    allow: Vec<String>,
    /// Forbid it to send messages of this topic; may be given several times.
    #[arg(long, value_name = "TOPIC")]
    deny: Vec<String>,
    /// Do not let this skill or toolbox answer it; may be given several times.
    #[arg(long, value_name = "SKILL")]
    deny_skill: Vec<String>,
    /// Do not let this intent answer it, as SKILL:INTENT; may be given several times.
    #[arg(long, value_name = "INTENT")]
    deny_intent: Vec<String>,
    /// Let only this persona answer it, with that persona's tools and no others; without one, any answers as at the device.
    #[arg(long)]
    persona: Option<String>,
    /// Where it stands, and whose it is.
    #[command(flatten)]
    place: HivePlace,
    /// Accept protocols before version 3 from it. Needs `hive.old_protocols`, and keeps its password on disk.
    #[arg(long)]
    old_protocol: bool,
}

/// Where a satellite stands and whose it is.
#[derive(Debug, Clone, Default, Args)]
struct HivePlace {
    /// Name of its room; its own name if absent.
    #[arg(long)]
    room: Option<String>,
    /// Name of its owner; "" takes the name away.
    #[arg(long)]
    person: Option<String>,
    /// When other rooms are not heard there, as in 21:00-07:00; "house" for the quiet hours of the house.
    #[arg(long, value_name = "HOURS")]
    quiet_hours: Option<String>,
}

impl From<HivePlace> for Standing {
    fn from(place: HivePlace) -> Self {
        let HivePlace {
            room,
            person,
            quiet_hours,
        } = place;
        Self {
            room,
            person,
            quiet_hours,
        }
    }
}

/// Why a command of the hive failed.
#[derive(Debug, thiserror::Error)]
enum HiveError {
    #[error(transparent)]
    Clients(#[from] ClientsError),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Standing(#[from] StandingError),
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error(transparent)]
    Ask(#[from] AskError),
    #[error(transparent)]
    Unknown(#[from] UnknownError),
    #[error(
        "failed to let a satellite come by an older protocol: this device takes none; set hive.old_protocols = true in loquat.toml"
    )]
    OldProtocol,
}

#[derive(Debug)]
pub(super) struct HiveCommand;

impl Command for HiveCommand {
    fn typed(&self) -> clap::Command {
        HiveArguments::augment_args(clap::Command::new("hive"))
    }

    fn run<'a>(&'a self, typed: &'a ArgMatches, context: &'a CommandContext) -> BoxFuture<'a, Outcome> {
        async {
            let HiveArguments { command } = HiveArguments::from_arg_matches(typed)?;
            Ok(obey(command, context).await)
        }
        .boxed()
    }
}

async fn obey(command: Option<HiveOrder>, context: &CommandContext) -> Exit {
    let clients = Clients::of(&context.ground.folders.state);
    let output = context.output;
    let done = match command {
        None | Some(HiveOrder::List) => list(&clients, output),
        Some(HiveOrder::Add { name, access }) => add(&clients, &name, &access, context).await,
        Some(HiveOrder::Place { name, place }) => placed(&clients, &name, place, output),
        Some(HiveOrder::Remove { name }) => removed(&clients, &name, output),
        Some(HiveOrder::Allow { name, topics }) => allowed(&clients, &name, &topics, output),
        Some(HiveOrder::Deny { name, topics }) => denied(&clients, &name, &topics, output),
        Some(HiveOrder::Forget { name }) => forgotten(&clients, name.as_deref(), output),
        Some(HiveOrder::Ask { question }) => ask(context, &question.join(" ")).await,
    };
    if let Err(error) = done {
        output.remark(format!("loquat: {error}"));
        return Exit::Failed;
    }
    Exit::Ok
}

fn list(clients: &Clients, output: Output) -> Result<(), HiveError> {
    let all = clients.list()?;
    if all.is_empty() {
        output.line("No satellite may come in. `loquat hive add NAME` makes the keys of one.");
    }
    for client in &all {
        describe(client, output);
    }
    let listed: Vec<_> = all
        .iter()
        .map(|client| {
            let key = client.key().map(loquat_hive::PublicKey::to_hex);
            json!({"name": client.name, "was_here": key.is_some(), "key": key, "access": client.access})
        })
        .collect();
    output.value(&json!({"clients": listed}));
    Ok(())
}

fn describe(client: &Client, output: Output) {
    let was_here = if client.key().is_some() {
        "  (was here)"
    } else {
        "  (never here)"
    };
    let was_here = match client.old_password() {
        Some(_) => "  (may come by an older protocol)",
        None => was_here,
    };
    output.pieces(&[(Style::Bold, &client.name), (Style::Plain, was_here)]);
    let access = &client.access;
    let tell = |what: &str, all: Vec<&str>| {
        if !all.is_empty() {
            output.line(format!("    {what}: {}", all.join(", ")));
        }
    };
    tell("may send", access.topics.iter().map(String::as_str).collect());
    tell(
        "not answered by skills",
        access.denied_skills.iter().map(String::as_str).collect(),
    );
    tell(
        "not answered by intents",
        access.denied_intents.iter().map(String::as_str).collect(),
    );
    tell("answered by", access.persona.as_deref().into_iter().collect());
    tell("stands in", access.room.as_deref().into_iter().collect());
    tell("is used by", access.person.as_deref().into_iter().collect());
    let hours = access.quiet_hours.map(|hours| hours.to_string());
    tell("quiet hours", hours.as_deref().into_iter().collect());
}

async fn add(
    clients: &Clients,
    name: &str,
    wanted: &HiveAccess,
    context: &CommandContext,
) -> Result<(), HiveError> {
    let output = context.output;
    let known = match context.offered::<Arc<dyn Names>>() {
        Some(names) => names.known().await,
        None => Known::default(),
    };
    let unsure = known.check(wanted)?;
    let mut access = Access::default();
    access.allow(&wanted.allow)?;
    access.deny(&wanted.deny);
    access.deny_skills(&wanted.deny_skill)?;
    access.deny_intents(&wanted.deny_intent)?;
    access.persona.clone_from(&wanted.persona);
    access.settle(&wanted.place.clone().into())?;
    let settings = context.ground.table::<Hive>();
    let old_protocols = settings.old_protocols;
    if wanted.old_protocol && !old_protocols {
        return Err(HiveError::OldProtocol);
    }
    let told = if wanted.old_protocol {
        clients.add_old(name, access)?
    } else {
        clients.add(name, access)?
    };
    output.remark(format!(
        "The keys of {name}, shown this once. On the satellite: hivemind-client set-identity --key ACCESS_KEY --password \
         PASSWORD --host {}://THIS_DEVICE --port {}",
        if settings.certificate.is_some() { "wss" } else { "ws" },
        port(&settings)
    ));
    output.line(format!("access key: {}", told.access_key));
    output.line(format!("password: {}", told.password));
    output.value(&json!({"name": name, "access_key": told.access_key, "password": told.password}));
    for id in unsure {
        output.remark(format!(
            "loquat: {id} is denied, and whether anything is called so cannot be known, since no daemon runs"
        ));
    }
    if settings.listen.is_none() {
        output.remark("loquat: no satellite is listened for yet; set hive.listen in loquat.toml");
    }
    Ok(())
}

/// Gives the port of the settings, or the one that HiveMind has unless told.
fn port(settings: &Hive) -> u16 {
    settings.listen.map_or(5678, |listen| listen.port())
}

fn removed(clients: &Clients, name: &str, output: Output) -> Result<(), HiveError> {
    clients.remove(name)?;
    output.line(format!(
        "{name} may not come in any more; where it is connected, that ends."
    ));
    output.value(&json!({"removed": name}));
    Ok(())
}

fn placed(clients: &Clients, name: &str, place: HivePlace, output: Output) -> Result<(), HiveError> {
    let standing = Standing::from(place);
    let mut outcome = Ok(());
    clients.amend(name, |access| outcome = access.settle(&standing))?;
    outcome?;
    let all = clients.list()?;
    if let Some(client) = all.iter().find(|client| client.name == name) {
        describe(client, output);
        output.value(&json!({"name": name, "access": client.access}));
    }
    Ok(())
}

fn allowed(clients: &Clients, name: &str, topics: &[String], output: Output) -> Result<(), HiveError> {
    topics.iter().try_for_each(|named| ids::topic(named))?;
    let mut outcome = Ok(());
    clients.amend(name, |access| outcome = access.allow(topics))?;
    outcome?;
    output.line(format!("{name} may send {} too.", topics.join(", ")));
    output.value(&json!({"name": name, "allowed": topics}));
    Ok(())
}

fn denied(clients: &Clients, name: &str, topics: &[String], output: Output) -> Result<(), HiveError> {
    topics.iter().try_for_each(|named| ids::topic(named))?;
    clients.amend(name, |access| access.deny(topics))?;
    output.line(format!("{name} may not send {} any more.", topics.join(", ")));
    output.value(&json!({"name": name, "denied": topics}));
    Ok(())
}

fn forgotten(clients: &Clients, name: Option<&str>, output: Output) -> Result<(), HiveError> {
    let Some(name) = name else {
        clients.forget_hub()?;
        output.line("The hive that was joined is forgotten; the next one at its address takes its place.");
        output.value(&json!({"forgotten": null}));
        return Ok(());
    };
    clients.forget_key(name)?;
    output.line(format!(
        "The device that was {name} is forgotten, and its connection ends; the next one that knows its keys takes its place. \
         Where it was stolen, remove {name} and add it again, which makes new keys."
    ));
    output.value(&json!({"forgotten": name}));
    Ok(())
}

/// Asks the hive that the settings name.
async fn ask(context: &CommandContext, question: &str) -> Result<(), HiveError> {
    let hub = Hub::of(&context.ground.table::<Hive>(), &context.ground.folders)?;
    let lang = &context.ground.mycroft.lang;
    let lang = loquat_wire::language::standard(lang).unwrap_or_else(|| lang.clone());
    let said = asking::ask(&hub, question, &lang).await?;
    for sentence in &said {
        context.output.line(sentence);
    }
    context.output.value(&json!({"answer": said}));
    Ok(())
}

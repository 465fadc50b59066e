//! `loquat check`: settings, bus, personas, models, brain and microphone, each with a verdict and the mend.

mod language_model;
mod mcp;
mod names;
mod neighbours;
mod network;
mod place;
mod sentences;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Result;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{Brain as _, ChatMessage, ChatRequest, Sampling};
use loquat_brain::LocalState;
use loquat_failure::with_causes;
use loquat_hearing::IsPersona;
use loquat_models::Catalogue;
use loquat_part::{Finding, Ground, Verdict};
use loquat_skills::home::Condition as HomeCondition;
use serde_json::json;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub(super) use self::place::finding as place;
use super::{Exit, Output, sound_cookie};
use crate::app::{self, Examined, Roll};
use crate::home_assistant;
use crate::link;
use crate::mind::refusals::{Refused, refusals_in};
use crate::models_in_use::ModelsInUse;
use crate::parts as table;
use crate::settings::{self, Complaint, Complaints, Environment, LoadOptions, Origin, Settings, bus_address};
use crate::spoken_tools::SpokenTools;
use crate::state::{self, Ailment};

/// To connect, to sign in and to learn what there is.
const HOME_PATIENCE: Duration = Duration::from_secs(15);

/// `loquat check`; fails when something is broken.
pub(super) async fn run(environment: &Environment, options: &LoadOptions, output: Output) -> Result<Exit> {
    let (settings, complaints) = Settings::load_leniently(environment, options);
    // Where that fails the microphone tells.
    drop(sound_cookie::provide(&settings, environment, false));
    let mut findings = settings_files(&complaints);
    findings.push(bus(&settings).await);
    let ground = ground(&settings, environment);
    findings.extend(parts_beside_the_daemon(&ground).await);
    findings.push(state_folder(&settings));
    findings.push(place::finding(&settings));
    findings.push(network::finding(&settings));
    findings.extend(personas(&settings, environment));
    let servers = mcp::started(&settings, environment).await;
    findings.extend(mcp::findings(&settings, environment, servers.as_ref()));
    findings.extend(names::findings(&settings, environment, mcp::names(servers.as_ref())).await);
    findings.extend(home(&settings).await);
    findings.extend(neighbours::notifications(&settings, environment).await);
    let models = ModelsInUse::choose(&settings, environment, &Catalogue::embedded());
    findings.push(language_model::finding(&settings, &models));
    findings.push(sentences::finding(&settings, &models));
    findings.push(local_brain(&settings, environment, &models).await);
    findings.extend(refused(&settings));
    findings.extend(parts(&ground).await);
    for finding in &findings {
        show(finding, output);
    }
    output.value(&json!({"findings": findings}));
    let broken = findings.iter().any(|finding| finding.verdict == Verdict::Broken);
    Ok(match (complaints.refuse(), broken) {
        (true, _) => Exit::Settings,
        (false, true) => Exit::Failed,
        (false, false) => Exit::Ok,
    })
}

/// Examines a device whose daemon runs.
pub(super) fn of_running_device(examined: Examined) -> BoxFuture<'static, Vec<Finding>> {
    async move {
        let Examined {
            settings,
            environment,
            options,
            servers,
        } = examined;
        let mut findings = of_this_device(&environment, &options).await;
        findings.extend(mcp::as_they_are(&servers, &settings, &environment));
        findings
    }
    .boxed()
}

/// Finds out what can be known beside a daemon that runs, without a model, a microphone or another server:
/// the worst first.
pub(super) async fn of_this_device(environment: &Environment, options: &LoadOptions) -> Vec<Finding> {
    let (settings, complaints) = Settings::load_leniently(environment, options);
    let models = ModelsInUse::choose(&settings, environment, &Catalogue::embedded());
    let mut findings = settings_files(&complaints);
    findings.push(bus(&settings).await);
    findings.extend(parts_beside_the_daemon(&ground(&settings, environment)).await);
    findings.push(state_folder(&settings));
    findings.push(place::finding(&settings));
    findings.push(network::finding(&settings));
    findings.extend(personas(&settings, environment));
    findings.push(language_model::finding(&settings, &models));
    findings.extend(refused(&settings));
    findings.push(sentences::finding(&settings, &models));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    findings
}

fn settings_files(complaints: &Complaints) -> Vec<Finding> {
    if complaints.0.is_empty() {
        return vec![Finding::ok("settings", "all understood")];
    }
    let finding = |complaint: &Complaint| {
        let verdict = Verdict::of(complaint);
        Finding::bad("settings", verdict, complaint.to_string(), "correct it there")
    };
    complaints.0.iter().map(finding).collect()
}

/// What parts tell of themselves that nothing has to be opened or asked for.
async fn parts_beside_the_daemon(ground: &Ground) -> Vec<Finding> {
    let mut findings = Vec::new();
    for part in table::all() {
        findings.extend(part.check_beside_the_daemon(ground).await);
    }
    findings
}

/// What else parts tell of themselves.
async fn parts(ground: &Ground) -> Vec<Finding> {
    let mut findings = Vec::new();
    for part in table::all() {
        findings.extend(part.check(ground).await);
    }
    findings
}

/// What they stand on. Personas are read only where a wake word is for one.
fn ground(settings: &Settings, environment: &Environment) -> Ground {
    let personas = OnceLock::new();
    let files = (settings.clone(), environment.clone());
    let is_persona = move |name: &str| {
        let personas = personas.get_or_init(|| app::load_personas(&files.0, &files.1).0);
        personas.find(name).is_some()
    };
    settings::ground(settings, environment).offering(IsPersona(Arc::new(is_persona)))
}

/// Prints a finding.
pub(super) fn show(finding: &Finding, output: Output) {
    let mark = match finding.verdict {
        Verdict::Ok => "ok     ",
        Verdict::Remark => "remark ",
        Verdict::Missing => "missing",
        Verdict::Broken => "BROKEN ",
    };
    output.line(format!("{mark}  {:<12} {}", finding.part, finding.detail));
    if let Some(mend) = &finding.mend {
        output.line(format!("                      → {mend}"));
    }
}

async fn bus(settings: &Settings) -> Finding {
    let address = bus_address(settings);
    if address.ssl {
        let detail = format!("{} wants TLS, which Loquat does not speak", address.url());
        let mend = "set websocket.ssl to false in mycroft.conf, and bring a bus of another machine here through a \
                    tunnel that encrypts, such as ssh -L";
        return Finding::bad("bus", Verdict::Broken, detail, mend);
    }
    if link::answers(&address).await {
        return Finding::ok("bus", format!("somebody listens at {}", address.url()));
    }
    let detail = format!("nobody listens at {}", address.url());
    Finding::bad(
        "bus",
        Verdict::Missing,
        detail,
        "`loquat run` brings one, unless bus.embed is \"never\"; then start ovos-messagebus",
    )
}

/// Signs in to the Home Assistant of the home, where one is set.
async fn home(settings: &Settings) -> Vec<Finding> {
    let part = "home";
    let Some(home) = home_assistant::of(&settings.home_assistant, &settings.folders) else {
        return Vec::new();
    };
    let origin = Origin::Default;
    let careless = home_assistant::token(&settings.home_assistant).remark(&origin);
    let careless = careless.map(|complaint| {
        let mend = "chmod 600 it, or use a systemd credential";
        Finding::bad(part, Verdict::Remark, complaint.to_string(), mend)
    });
    let cancel = CancellationToken::new();
    let mut condition = home.condition();
    let look = async {
        let settled = condition.wait_for(|condition| *condition != HomeCondition::Connecting);
        let settled = match timeout(HOME_PATIENCE, settled).await {
            Ok(Ok(condition)) => condition.clone(),
            _ => HomeCondition::Connecting,
        };
        cancel.cancel();
        settled
    };
    let ((), settled) = tokio::join!(home.run(cancel.clone()), look);
    careless
        .into_iter()
        .chain([signed_in(part, settings, &settled)])
        .collect()
}

/// Says how signing in to a Home Assistant went.
fn signed_in(part: &str, settings: &Settings, condition: &HomeCondition) -> Finding {
    let url = settings
        .home_assistant
        .url
        .clone()
        .map(String::from)
        .unwrap_or_default();
    match condition {
        HomeCondition::Ready { is_admin: false } => {
            Finding::ok(part, format!("Home Assistant at {url} answers"))
        }
        HomeCondition::Ready { is_admin: true } => {
            let detail = format!(
                "Home Assistant at {url} answers, and the token is an administrator's, who may do everything"
            );
            let mend = "make a user without administration rights there and a token of that user; `loquat setup` takes it";
            Finding::bad(part, Verdict::Remark, detail, mend)
        }
        HomeCondition::Refused(why) => {
            let detail = format!("failed to sign in to Home Assistant at {url}: {why}");
            let mend = "make a long-lived token there, and give it to `loquat setup`";
            Finding::bad(part, Verdict::Broken, detail, mend)
        }
        HomeCondition::Unreachable(why) => unreachable_home(part, &url, why),
        HomeCondition::Connecting => unreachable_home(part, &url, "it does not answer"),
    }
}

fn unreachable_home(part: &str, url: &str, why: &str) -> Finding {
    let detail = format!("failed to reach Home Assistant at {url}: {why}");
    let mend = "see that it runs and that home_assistant.url is right; the device works without it";
    Finding::bad(part, Verdict::Missing, detail, mend)
}

/// Examines where turns are written down. Tools that change something do not run when that cannot be done.
fn state_folder(settings: &Settings) -> Finding {
    let part = "state";
    let folder = &settings.folders.state;
    let Err(ailment) = state::examine(folder) else {
        return Finding::ok(part, format!("{} can be written", folder.display()));
    };
    let mend = match &ailment {
        Ailment::Full { .. } => {
            "make room there; until then nothing is done that would have to be written down"
        }
        Ailment::Unwritable { .. } => {
            "chown it, or set STATE_DIRECTORY or XDG_STATE_HOME to a folder of your own"
        }
        Ailment::Damaged { .. } => {
            "start the daemon once; what can be read of the damaged file stays beside it"
        }
        Ailment::File(_) => "see the line above; the daemon answers without it",
    };
    Finding::bad(part, Verdict::Broken, with_causes(&ailment), mend)
}

fn personas(settings: &Settings, environment: &Environment) -> Vec<Finding> {
    let roll = Roll::of(settings, environment);
    let mut findings: Vec<Finding> = roll
        .complaints
        .iter()
        .map(|complaint| {
            let mend = "correct the file, then run `loquat reload`";
            Finding::bad("personas", Verdict::of(complaint), complaint.to_string(), mend)
        })
        .collect();
    let (_, complaints) = SpokenTools::load(settings::sentences(settings), None);
    findings.extend(complaints.iter().map(|complaint| {
        let mend = "correct the line, then run `loquat reload`";
        Finding::bad("sentences", Verdict::of(complaint), complaint.to_string(), mend)
    }));
    findings.extend(roll.skills.iter().map(|complaint| {
        let mend = "correct the file, then run `loquat reload`";
        Finding::bad("skills", Verdict::of(complaint), complaint.to_string(), mend)
    }));
    match roll.default_persona() {
        Some(default) => {
            let ready = match roll.personas.len() - roll.ready.len() {
                0 => String::new(),
                left_out => format!(", {left_out} not ready"),
            };
            let found = format!("{} found{ready}, {} answers", roll.personas.len(), default.name);
            findings.push(Finding::ok("personas", found));
        }
        None => findings.push(Finding::bad(
            "personas",
            Verdict::Broken,
            "there is none",
            "take names out of intents.persona.persona_blacklist in mycroft.conf, or put a persona file into ~/.config/ovos_persona",
        )),
    }
    findings
}

/// Really loads the model, since a file that is there may still be of no use.
async fn local_brain(settings: &Settings, environment: &Environment, models: &ModelsInUse) -> Finding {
    let brain = app::local_brain(settings, environment, models);
    let request = ChatRequest {
        messages: vec![ChatMessage::user("Hello").into()],
        sampling: Sampling {
            max_tokens: Some(1),
            ..Sampling::default()
        },
        ..ChatRequest::default()
    };
    let started = brain.warm(&request).await;
    let state = brain.state().borrow().clone();
    brain.shutdown().await;
    match started {
        Ok(_) => loaded(&models.language.name, &state),
        Err(error) => {
            let mend = "see the line above; a persona with another brain works without it";
            Finding::bad("brain", Verdict::Broken, format!("failed to {error}"), mend)
        }
    }
}

/// Tells what servers of other brains have refused since the daemon began, and are asked without.
fn refused(settings: &Settings) -> Vec<Finding> {
    // Where the file cannot be read, its own line tells.
    let known = refusals_in(&settings.folders.state).unwrap_or_default();
    let finding = |refused: Refused| {
        let detail = format!("{}: {}", refused.brain, refused.told);
        Finding::bad("brain", Verdict::Remark, detail, refused.mend)
    };
    known.into_iter().map(finding).collect()
}

/// Tells of a model that is loaded, with a word on what it computes with and what its process is held to.
fn loaded(model: &str, state: &LocalState) -> Finding {
    let LocalState::Ready { health, .. } = state else {
        return Finding::ok("brain", format!("{model} loads"));
    };
    let mut loads = format!("{model} loads");
    if let Some(kernel) = &health.kernel {
        loads += " and computes with ";
        loads += kernel;
    }
    let Some(confinement) = &health.confinement else {
        return Finding::ok("brain", loads);
    };
    let detail = format!("{loads}; its process is {confinement}");
    if confinement.lacks.is_empty() {
        return Finding::ok("brain", detail);
    }
    let mend = "a model that was made to do harm could: set local_brain.sandbox = \"required\", or use a kernel of \
                Linux 5.13 or later with Landlock and seccomp";
    Finding::bad("brain", Verdict::Remark, detail, mend)
}

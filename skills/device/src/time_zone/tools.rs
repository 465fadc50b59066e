//! What the tools ask timedate1, set and tell.

use std::sync::Arc;

use futures_util::FutureExt;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dbus::{DeviceBus, proxy, within};
use loquat_kit::calendar::zone_name;
use loquat_kit::dialog::Telling;
use loquat_kit::plain;
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

/// As people call it.
const SERVICE: &str = "timedate1";

const NAME: &str = "org.freedesktop.timedate1";
const PATH: &str = "/org/freedesktop/timedate1";

#[zbus::proxy(interface = "org.freedesktop.timedate1")]
trait TimeDate {
    fn set_timezone(&self, zone: &str, interactive: bool) -> zbus::Result<()>;
    #[zbus(property)]
    fn timezone(&self) -> zbus::Result<String>;
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Wanted {
    /// A city, or an IANA zone such as Europe/Berlin.
    place: String,
}

/// What the device is set to.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Setting {
    done: bool,
    /// IANA name.
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
}

fn now(zone: &str, dialog: &'static str) -> Report<Setting> {
    let zone = plain(zone).unwrap_or_default();
    let (_, city) = zone.rsplit_once('/').unwrap_or(("", &zone));
    let told = Telling::new(dialog).words("city", city.replace('_', " "));
    let zone = Some(zone);
    Report::new(Setting { done: true, zone }, told)
}

pub(super) fn get(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, Setting> {
    reporting(async move { current(&bus).await })
}

async fn current(bus: &DeviceBus) -> Result<Report<Setting>, Problem> {
    let set = within(SERVICE, reached(bus).await?.timezone()).await?;
    Ok(now(&set, "zone"))
}

pub(super) fn set(bus: Arc<DeviceBus>, asked: Wanted, _: &Circumstances) -> Reporting<'_, Setting> {
    let Wanted { place } = asked;
    let Some(zone) = zone_name(&place) else {
        let complaint = "place: write a city, or an IANA zone such as Europe/Berlin";
        return std::future::ready(Err(ToolError::reply("ValueError", complaint))).boxed();
    };
    reporting(async move { changed(&bus, &zone).await })
}

async fn changed(bus: &DeviceBus, zone: &str) -> Result<Report<Setting>, Problem> {
    let service = reached(bus).await?;
    within(SERVICE, service.set_timezone(zone, false)).await?;
    let set = within(SERVICE, service.timezone()).await?;
    if set == zone {
        return Ok(now(zone, "now_set"));
    }
    let text = "timedate1 did not set the zone and does not say why; see `journalctl -u systemd-timedated`";
    Err(Problem::new(text, "refused"))
}

async fn reached(bus: &DeviceBus) -> Result<TimeDateProxy<'static>, Problem> {
    let connection = bus.connection(SERVICE).await?;
    Ok(within(SERVICE, proxy(&connection, NAME, PATH)).await?)
}

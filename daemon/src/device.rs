//! What is true of the device as a whole, for sessions that do not say otherwise.

use loquat_agent::toolbox::Circumstances;
use loquat_wire::Session;

/// Language, units and place of the device, as `mycroft.conf` has them.
#[derive(Debug, Clone, Default)]
pub struct Device {
    /// BCP-47.
    pub lang: String,
    /// `metric` or `imperial`.
    pub units: Option<String>,
    /// IANA name.
    pub time_zone: Option<String>,
    /// `half` or `full`.
    pub time_format: Option<String>,
    /// `MDY`, `DMY` or `YMD`.
    pub date_format: Option<String>,
}

impl Device {
    /// Under which circumstances a tool runs that nobody's session asked for.
    pub fn circumstances(&self) -> Circumstances {
        self.circumstances_of(&Session::default())
    }

    /// The same for a session: what it says goes before what is true of the device.
    pub fn circumstances_of(&self, session: &Session) -> Circumstances {
        let own =
            |field: Option<&str>, ours: &Option<String>| field.map(str::to_owned).or_else(|| ours.clone());
        Circumstances {
            session_id: session.id().to_owned(),
            lang: Some(session.lang().unwrap_or(&self.lang).to_owned()),
            units: own(session.system_unit(), &self.units),
            time_zone: own(session.time_zone(), &self.time_zone),
            time_format: own(session.time_format(), &self.time_format),
            date_format: own(session.date_format(), &self.date_format),
            ..Circumstances::default()
        }
    }
}

//! `[rest]`: when the device says nothing unasked.

use loquat_settings::form::Form;
use loquat_settings::section;
use loquat_skills::rest::{Hours, HoursError};
use serde::{Deserialize, Serialize};

/// Hours of every day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct QuietHours(pub Hours);

impl TryFrom<String> for QuietHours {
    type Error = HoursError;

    fn try_from(text: String) -> Result<Self, HoursError> {
        text.parse().map(Self)
    }
}

impl From<QuietHours> for String {
    fn from(QuietHours(hours): QuietHours) -> Self {
        hours.to_string()
    }
}

impl Form for QuietHours {
    fn expected() -> String {
        "two different times of day, as in \"22:00-07:00\"".to_owned()
    }

    fn is_text() -> bool {
        true
    }
}

section! {
    /// When the device says nothing unasked.
    "rest" Rest {
        /// From when until when, every day, by the clock of the place that mycroft.conf names: reminders, what was missed
        /// and complaints about the disk wait until then, reminders also until a person speaks to the device. Alarms and
        /// timers ring. Short conversations are looked back on in that time, too.
        /// Absent: there are no such hours; a person may ask not to be disturbed at any time.
        quiet_hours: Option<QuietHours> = None, eg "22:00-07:00";
    }
}

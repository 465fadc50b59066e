//! `[device]`: where the device stands and how it speaks, for those who have no `mycroft.conf`. What is absent here is as that
//! file says it.

use loquat_settings::mycroft::Mycroft;
use loquat_settings::{choice, section};

choice! {
    /// The units of measures.
    Units {
        /// Metres, degrees Celsius.
        Metric = "metric",
        /// Feet, degrees Fahrenheit.
        Imperial = "imperial",
    }
}

choice! {
    /// How the time is told.
    TimeFormat {
        /// With twelve hours.
        Half = "half",
        /// With twenty-four hours.
        Full = "full",
    }
}

section! {
    /// The device itself: its language, its place and its units. `loquat setup` asks for them.
    "device" Device {
        /// The language in which it is spoken to, and answers.
        /// Absent: `lang` of mycroft.conf, else en-US.
        language: Option<String> = None, eg "en-GB";
        /// The name of the town, as the weather tells it.
        /// Absent: that of `location` in mycroft.conf.
        place: Option<String> = None, eg "Lisbon";
        /// Degrees north. Weather, sunrise and sunset need latitude and longitude.
        /// Absent: that of `location` in mycroft.conf.
        latitude: Option<f64> = None => -90..=90, eg 38.72;
        /// Degrees east.
        /// Absent: that of `location` in mycroft.conf.
        longitude: Option<f64> = None => -180..=180, eg -9.14;
        /// The IANA name of the time zone.
        /// Absent: that of `location` in mycroft.conf, else that of the machine.
        time_zone: Option<String> = None, eg "Europe/Lisbon";
        /// The units in which measures are told: "metric" or "imperial".
        /// Absent: `system_unit` of mycroft.conf, else metric.
        units: Option<Units> = None, eg "metric";
        /// How the time is told: "half" (12 hours) or "full" (24 hours).
        /// Absent: `time_format` of mycroft.conf, else what the language is used to.
        time_format: Option<TimeFormat> = None, eg "full";
    }
}

impl Units {
    /// Gives the word of `mycroft.conf`.
    fn word(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Imperial => "imperial",
        }
    }
}

impl TimeFormat {
    /// Gives the word of `mycroft.conf`.
    fn word(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Full => "full",
        }
    }
}

impl Device {
    /// Puts what it says in the place of what `mycroft.conf` says. A place that is named here is no longer in the region that is
    /// named there.
    pub fn amend(&self, mycroft: &mut Mycroft) {
        set(&mut mycroft.lang, self.language.clone());
        set(
            &mut mycroft.system_unit,
            self.units.map(|units| units.word().to_owned()),
        );
        let location = &mut mycroft.location;
        if self.place.is_some() {
            (location.region, location.country) = (None, None);
        }
        if self.latitude.is_some() {
            (location.latitude, location.longitude) = (self.latitude, self.longitude);
        }
        set(&mut location.city, self.place.clone().map(Some));
        set(&mut location.time_zone, self.time_zone.clone().map(Some));
        let time_format = self.time_format.map(|format| Some(format.word().to_owned()));
        set(&mut mycroft.time_format, time_format);
    }

    /// Says what is wrong with it, and of which key.
    pub fn complaint(&self) -> Option<(&'static str, String)> {
        if self.latitude.is_some() != self.longitude.is_some() {
            let both = "device.latitude and device.longitude belong together, and only one is set; set both";
            return Some(("device.latitude", both.to_owned()));
        }
        if let Some(language) = &self.language
            && loquat_wire::language::standard(language).is_none()
        {
            let shape =
                format!("device.language is {language:?}, which is no language; write it as in \"en-GB\"");
            return Some(("device.language", shape));
        }
        let zone = self.time_zone.as_ref()?;
        let unknown = jiff::tz::TimeZone::get(zone).is_err();
        let shape =
            format!("device.time_zone is {zone:?}, which is no time zone; write it as in \"Europe/Lisbon\"");
        unknown.then_some(("device.time_zone", shape))
    }
}

fn set<T>(value: &mut T, to: Option<T>) {
    if let Some(to) = to {
        *value = to;
    }
}

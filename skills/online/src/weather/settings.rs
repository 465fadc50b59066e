//! Which weather service is asked, and where the device stands.
//!
//! Set once at the start; nothing here is asked of a person.

/// Of the weather service.
#[derive(Debug, Clone, PartialEq)]
pub struct WeatherSettings {
    /// The server of forecasts: Open-Meteo's, or one of your own with the same paths.
    pub url: String,
    /// The server that knows places.
    pub geocoding_url: String,
    /// Where the device stands; without it, every question has to name a place.
    pub home: Option<Home>,
}

/// The place of the device.
#[derive(Debug, Clone, PartialEq)]
pub struct Home {
    /// It is in degrees north.
    pub latitude: f64,
    /// It is in degrees east.
    pub longitude: f64,
    /// As people call it.
    pub name: String,
    /// IANA name.
    pub time_zone: Option<String>,
}

impl Default for WeatherSettings {
    fn default() -> Self {
        Self {
            url: "https://api.open-meteo.com".to_owned(),
            geocoding_url: "https://geocoding-api.open-meteo.com".to_owned(),
            home: None,
        }
    }
}

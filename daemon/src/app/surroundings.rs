//! What settings and environment say of the device and of what is around it: its language and place, the services of its system
//! and those outside. Reaches none of them.

use std::path::{Path, PathBuf};

use loquat_skills::weather::{Home, WeatherSettings};
use loquat_skills::{DeviceAddresses, Resources, WebSettings};
use loquat_wire::Languages;

use crate::device::Device;
use crate::settings::{self, Environment, Settings};

/// Gathers language, units and place of this device.
pub fn device(settings: &Settings) -> Device {
    let mycroft = &settings.mycroft;
    Device {
        lang: loquat_wire::language::standard(&mycroft.lang).unwrap_or_else(|| mycroft.lang.clone()),
        units: Some(mycroft.system_unit.clone()),
        time_zone: mycroft.location.time_zone.clone(),
        place: place(&mycroft.location),
        time_format: mycroft.time_format.clone(),
        date_format: mycroft.date_format.clone(),
    }
}

/// Lists the languages that `mycroft.conf` enables: all of them where it names none beside the device's own.
pub(super) fn languages(settings: &Settings) -> Languages {
    let mycroft = &settings.mycroft;
    if mycroft.secondary_langs.is_empty() {
        return Languages::any(&mycroft.lang);
    }
    Languages::only(&mycroft.lang, mycroft.secondary_langs.iter().map(String::as_str))
}

/// Says where the device is, as a brain is told.
fn place(location: &settings::mycroft::Location) -> Option<String> {
    let names = [&location.city, &location.region, &location.country];
    let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
    let names = names.join(", ");
    let at = location.latitude.zip(location.longitude);
    let at = at.map(|(latitude, longitude)| format!("latitude {latitude}, longitude {longitude}"));
    match (names.is_empty(), at) {
        (true, None) => None,
        (true, Some(at)) => Some(at),
        (false, None) => Some(names),
        (false, Some(at)) => Some(format!("{names} ({at})")),
    }
}

/// Adds the services outside of the device, and what the owner has said of them.
pub fn with_network(resources: Resources, settings: &Settings) -> Resources {
    resources
        .with_permissions(settings.network.rules())
        .with_weather(weather(settings))
        .with_web(web(settings))
}

/// Finds where the services of this device are reached.
pub fn addresses(environment: &Environment) -> DeviceAddresses {
    DeviceAddresses {
        session_bus: environment.session_bus(),
        system_bus: system_bus(environment),
        sound_server: sound_server(environment),
        sound_cookies: sound_cookies(environment),
        alsa_mixer: Some("default".to_owned()),
    }
}

/// Looks for the bus of the machine as all programs do.
fn system_bus(environment: &Environment) -> Option<String> {
    const SOCKET: &str = "/run/dbus/system_bus_socket";
    let named = environment.variable("DBUS_SYSTEM_BUS_ADDRESS").map(str::to_owned);
    named.or_else(|| Path::new(SOCKET).exists().then(|| format!("unix:path={SOCKET}")))
}

/// Looks for the sound server as PulseAudio's own clients do.
fn sound_server(environment: &Environment) -> Option<PathBuf> {
    let named = environment.variable("PULSE_SERVER").and_then(|server| {
        let path = server.strip_prefix("unix:").unwrap_or(server);
        path.starts_with('/').then(|| PathBuf::from(path))
    });
    let own = environment
        .path("PULSE_RUNTIME_PATH")
        .map(|folder| folder.join("native"));
    let of_session = environment
        .path("XDG_RUNTIME_DIR")
        .map(|folder| folder.join("pulse/native"));
    named.or_else(|| own.into_iter().chain(of_session).find(|socket| socket.exists()))
}

/// Lists the files that may hold what the sound server knows its clients by; the first that is there counts.
pub(crate) fn sound_cookies(environment: &Environment) -> Vec<PathBuf> {
    let home = |file: &str| environment.path("HOME").map(|home| home.join(file));
    let places = [
        environment.path("PULSE_COOKIE"),
        home(".config/pulse/cookie"),
        home(".pulse-cookie"),
    ];
    places.into_iter().flatten().collect()
}

/// Gathers what the weather service needs, and where the device is.
pub fn weather(settings: &Settings) -> WeatherSettings {
    let location = &settings.mycroft.location;
    let home = |(latitude, longitude)| Home {
        latitude,
        longitude,
        name: location.city.clone().unwrap_or_default(),
        time_zone: location.time_zone.clone(),
    };
    WeatherSettings {
        url: settings.weather.url.clone(),
        geocoding_url: settings.weather.geocoding_url.clone(),
        home: location.latitude.zip(location.longitude).map(home),
    }
}

/// Gathers what the settings say about searching and looking up.
fn web(settings: &Settings) -> WebSettings {
    let web = &settings.web;
    WebSettings {
        search_url: web.search_url.clone(),
        wikipedia_url: web.wikipedia_url.clone(),
        wiktionary_url: web.wiktionary_url.clone(),
        wikidata_url: web.wikidata_url.clone(),
        contact: web.contact.clone(),
    }
}

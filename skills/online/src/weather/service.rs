//! The weather service: where a place lies, and what the weather will be there.
//!
//! Asks as little as it can: an answer serves ten minutes, and an older one where the service gives none. Reads no
//! clock; what it is asked, it is asked at a moment.

use std::sync::Arc;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::forecast::{CURRENT, DAILY, Forecast, HOURLY};
use super::settings::{Home, WeatherSettings};
use crate::net::Outlet;
use crate::net::shelf::Kept;
use crate::net::{Fault, Shelf, Wire};
use loquat_kit::folded;
use loquat_kit::permission::{self, Permissions};

/// Days that the service looks ahead, with today.
const DAYS_AHEAD: &str = "16";

/// For how long an answer serves, in seconds.
const FRESH: i64 = 10 * 60;

/// Places that share a name.
const MOST_PLACES: &str = "10";

/// No place has a longer name, in letters.
const LONGEST_NAME: usize = 60;

/// The service, with what it answered last.
#[derive(Debug)]
pub struct Forecaster {
    settings: WeatherSettings,
    outlet: Outlet,
    wire: Wire,
    kept_places: Shelf<Arc<[Spot]>>,
    kept_forecasts: Shelf<Arc<Forecast>>,
}

/// A place on the map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spot {
    pub(super) name: String,
    pub(super) latitude: f64,
    pub(super) longitude: f64,
    pub(super) time_zone: Option<String>,
    /// They are folded: the country, its code and the larger parts of it.
    regions: Vec<String>,
    /// The region and the country as the service writes them.
    lies_in: String,
}

/// A town as the service knows it, for a person to choose from.
#[derive(Debug, Clone, PartialEq)]
pub struct Town {
    /// Its name.
    pub name: String,
    /// The region and the country, as in "Texas, United States"; may be empty.
    pub lies_in: String,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// The IANA name of its time zone.
    pub time_zone: Option<String>,
}

/// Why no town was found out.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("failed to ask the weather service where a place is: it {0}")]
pub struct TownsError(Fault);

/// A forecast, and whether the service was silent when it was asked for a newer one.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) forecast: Arc<Forecast>,
    pub(super) since: Timestamp,
    pub(super) is_old: bool,
}

#[derive(Deserialize)]
struct Places {
    #[serde(default)]
    results: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    name: String,
    latitude: f64,
    longitude: f64,
    timezone: Option<String>,
    country: Option<String>,
    country_code: Option<String>,
    admin1: Option<String>,
    admin2: Option<String>,
}

impl Forecaster {
    /// With these servers; none is asked yet.
    pub fn new(settings: WeatherSettings, permissions: &Arc<Permissions>) -> Self {
        Self {
            outlet: Outlet::to(permission::Service::Weather, permissions),
            wire: Wire::to(&[&settings.url, &settings.geocoding_url], None),
            settings,
            kept_places: Shelf::fresh_for(FRESH),
            kept_forecasts: Shelf::fresh_for(FRESH),
        }
    }

    /// Where the device stands.
    pub(super) fn home(&self) -> Option<Spot> {
        let home = self.settings.home.as_ref()?;
        Spot::of_home(home)
    }

    /// The place of this name: `Paris`, `Paris, Texas`, `Paris Texas`.
    pub(super) async fn find(&self, name: &str, lang: &str, now: Timestamp) -> Result<Option<Spot>, Fault> {
        if let Some(spot) = self.places(name, lang, now).await?.first() {
            return Ok(Some(spot.clone()));
        }
        let parts = name.split_once(',').or_else(|| name.rsplit_once(' '));
        let Some((name, region)) = parts else {
            return Ok(None);
        };
        let region = folded(region);
        let places = self.places(name.trim(), lang, now).await?;
        Ok(places.iter().find(|spot| spot.regions.contains(&region)).cloned())
    }

    /// The towns of this name, the largest first.
    ///
    /// # Errors
    /// Where the service may not be asked or gives no answer.
    pub async fn towns(&self, name: &str, lang: &str, now: Timestamp) -> Result<Vec<Town>, TownsError> {
        let spots = self.places(name, lang, now).await.map_err(TownsError)?;
        let town = |spot: &Spot| Town {
            name: spot.name.clone(),
            lies_in: spot.lies_in.clone(),
            latitude: spot.latitude,
            longitude: spot.longitude,
            time_zone: spot.time_zone.clone(),
        };
        Ok(spots.iter().map(town).collect())
    }

    async fn places(&self, name: &str, lang: &str, now: Timestamp) -> Result<Arc<[Spot]>, Fault> {
        let question = format!("{lang} {}", folded(name));
        if let Some(kept) = self.kept_places.fresh(&question, now) {
            return Ok(kept.answer);
        }
        match self.asked_places(name, lang, now).await {
            Ok(places) => Ok(self.kept_places.put(question, places, now).answer),
            Err(fault) => {
                let old = self.kept_places.usable(&question, now);
                old.filter(|_| fault.is_passing())
                    .map(|kept| kept.answer)
                    .ok_or(fault)
            }
        }
    }

    async fn asked_places(&self, name: &str, lang: &str, now: Timestamp) -> Result<Arc<[Spot]>, Fault> {
        let question = [
            ("name", name.to_owned()),
            ("count", MOST_PLACES.to_owned()),
            ("language", lang.to_owned()),
            ("format", "json".to_owned()),
        ];
        let answer = self
            .wire
            .ask(
                &self.outlet,
                &self.settings.geocoding_url,
                "/v1/search",
                &question,
                now,
            )
            .await?;
        let is_answer = answer.is_object();
        let places: Option<Places> = serde_json::from_value(answer).ok().filter(|_| is_answer);
        let places = places.ok_or(Fault::Garbled)?.results.into_iter();
        Ok(places.filter_map(Spot::read).collect())
    }

    /// The weather at a place.
    pub(super) async fn forecast(&self, spot: &Spot, now: Timestamp) -> Result<Report, Fault> {
        let question = spot.coordinates().join(" ");
        if let Some(kept) = self.kept_forecasts.fresh(&question, now) {
            return Ok(Report::of(kept, false));
        }
        match self.asked_forecast(spot, now).await {
            Ok(forecast) => {
                let kept = self.kept_forecasts.put(question, Arc::new(forecast), now);
                Ok(Report::of(kept, false))
            }
            Err(fault) => {
                let old = self.kept_forecasts.usable(&question, now);
                old.filter(|_| fault.is_passing())
                    .map(|kept| Report::of(kept, true))
                    .ok_or(fault)
            }
        }
    }

    async fn asked_forecast(&self, spot: &Spot, now: Timestamp) -> Result<Forecast, Fault> {
        let [latitude, longitude] = spot.coordinates();
        let question = [
            ("latitude", latitude),
            ("longitude", longitude),
            ("current", CURRENT.to_owned()),
            ("hourly", HOURLY.to_owned()),
            ("daily", DAILY.to_owned()),
            ("timezone", "auto".to_owned()),
            ("forecast_days", DAYS_AHEAD.to_owned()),
        ];
        let answer: Value = self
            .wire
            .ask(&self.outlet, &self.settings.url, "/v1/forecast", &question, now)
            .await?;
        Forecast::read(answer).ok_or(Fault::Garbled)
    }
}

impl Report {
    fn of(kept: Kept<Arc<Forecast>>, is_old: bool) -> Self {
        Self {
            forecast: kept.answer,
            since: kept.since,
            is_old,
        }
    }
}

impl Spot {
    fn of_home(home: &Home) -> Option<Self> {
        let spot = Self {
            name: readable(&home.name),
            latitude: home.latitude,
            longitude: home.longitude,
            time_zone: home.time_zone.clone(),
            regions: Vec::new(),
            lies_in: String::new(),
        };
        spot.is_on_earth().then_some(spot)
    }

    fn read(place: Place) -> Option<Self> {
        let lies_in = [&place.admin1, &place.country].map(|name| name.as_deref().map(readable));
        let lies_in: Vec<String> = lies_in.into_iter().flatten().collect();
        let regions = [place.country, place.country_code, place.admin1, place.admin2];
        let spot = Self {
            name: readable(&place.name),
            latitude: place.latitude,
            longitude: place.longitude,
            time_zone: place.timezone,
            regions: regions
                .into_iter()
                .flatten()
                .map(|region| folded(&region))
                .collect(),
            lies_in: lies_in.join(", "),
        };
        (spot.is_on_earth() && !spot.name.is_empty()).then_some(spot)
    }

    fn is_on_earth(&self) -> bool {
        self.latitude.abs() <= 90.0 && self.longitude.abs() <= 180.0
    }

    /// To about a kilometre: the weather is the same, and a house cannot be told from its neighbours.
    fn coordinates(&self) -> [String; 2] {
        [format!("{:.2}", self.latitude), format!("{:.2}", self.longitude)]
    }
}

/// A name as it can be shown: of the letters that a name has, and no longer than one.
fn readable(name: &str) -> String {
    let is_of_names = |letter: &char| letter.is_alphanumeric() || " -'\u{2019}.,()/".contains(*letter);
    let letters = name.chars().filter(is_of_names).take(LONGEST_NAME);
    letters.collect::<String>().trim().to_owned()
}

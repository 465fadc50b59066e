//! Asks where the device stands: by coordinates, or by the name of a town, which the weather service is asked for once a person
//! has said yes to that.

use loquat_skills::weather::Town;

use super::Answers;
use super::interview::{Interview, Left};
use crate::app;
use crate::settings::Settings;

/// Towns of one name that are offered.
const MOST: usize = 5;

/// What was said of the place.
enum Said {
    Coordinates(f64, f64),
    Town(String),
}

/// Asks for the place, and gives what is to be written of it.
pub(super) async fn asked(interview: &mut Interview, settings: &Settings) -> Result<Answers, Left> {
    let location = &settings.mycroft.location;
    let now = location.city.clone().unwrap_or_else(|| "not set".to_owned());
    let question = format!("Place: a town, or latitude and longitude as in 38.72, -9.14 [{now}]");
    let town = match interview.asked(&question, read)? {
        None => return Ok(Answers::new()),
        Some(Said::Coordinates(latitude, longitude)) => Town {
            name: String::new(),
            lies_in: String::new(),
            latitude,
            longitude,
            time_zone: None,
        },
        Some(Said::Town(name)) => match found(interview, settings, &name).await? {
            Some(town) => town,
            None => return Ok(Answers::new()),
        },
    };
    let name = (!town.name.is_empty()).then(|| town.name.into());
    let mut answers: Answers = vec![
        ("device.latitude", Some(town.latitude.into())),
        ("device.longitude", Some(town.longitude.into())),
        ("device.place", name),
    ];
    answers.extend(town.time_zone.map(|zone| ("device.time_zone", Some(zone.into()))));
    Ok(answers)
}

fn read(said: &str) -> Result<Said, String> {
    let Some((latitude, longitude)) = said.split_once([',', ' ']) else {
        return Ok(Said::Town(said.to_owned()));
    };
    let (Ok(latitude), Ok(longitude)) = (latitude.trim().parse(), longitude.trim().parse()) else {
        return Ok(Said::Town(said.to_owned()));
    };
    if (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude) {
        return Ok(Said::Coordinates(latitude, longitude));
    }
    Err("a latitude is from -90 to 90 and a longitude from -180 to 180".to_owned())
}

/// Looks a town up, and has the person choose among those of its name.
async fn found(interview: &mut Interview, settings: &Settings, name: &str) -> Result<Option<Town>, Left> {
    let server = &settings.weather.geocoding_url;
    if !interview.agreed(&format!("May I ask {server} where that is?"))? {
        interview.tell("  Then write latitude and longitude: a map shows them.");
        return Ok(None);
    }
    let towns = match app::towns_called(settings, name).await {
        Ok(towns) => towns,
        Err(error) => {
            interview.tell(&format!("  {error}. Latitude and longitude need no network."));
            return Ok(None);
        }
    };
    choose(interview, name, &towns)
}

fn choose(interview: &mut Interview, name: &str, towns: &[Town]) -> Result<Option<Town>, Left> {
    if towns.is_empty() {
        interview.tell(&format!("  It knows no place called {name:?}."));
        return Ok(None);
    }
    for (number, town) in towns.iter().take(MOST).enumerate() {
        interview.tell(&format!("  {}. {}, {}", number + 1, town.name, town.lies_in));
    }
    let read = |said: &str| {
        let number = said
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1));
        let town = number.and_then(|number| towns.iter().take(MOST).nth(number));
        town.cloned()
            .ok_or_else(|| format!("write a number from 1 to {}", towns.len().min(MOST)))
    };
    let chosen = interview.asked("Which one [1]", read)?;
    Ok(chosen.or_else(|| towns.first().cloned()))
}

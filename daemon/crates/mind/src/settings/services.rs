//! `[services]`: which services of the system may be started and stopped.

use loquat_settings::form::Form;
use loquat_settings::section;
use loquat_skills::services::{AllowedServices, AllowedServicesError};
use serde::{Deserialize, Serialize};

/// Units of systemd.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct ServiceNames(pub AllowedServices);

impl TryFrom<Vec<String>> for ServiceNames {
    type Error = AllowedServicesError;

    fn try_from(names: Vec<String>) -> Result<Self, AllowedServicesError> {
        AllowedServices::try_from(names).map(Self)
    }
}

impl From<ServiceNames> for Vec<String> {
    fn from(ServiceNames(names): ServiceNames) -> Self {
        names.into()
    }
}

impl Form for ServiceNames {
    fn expected() -> String {
        "a list of services by the whole names of their units, as in [\"ovos-audio.service\"]".to_owned()
    }
}

section! {
    /// The services of the system that a person may start and stop by voice.
    "services" Services {
        /// Their units, by their whole names. Each change is asked about first; no other unit is ever touched.
        /// Where none is named there is no such toolbox.
        allowed: ServiceNames = ServiceNames::default();
    }
}

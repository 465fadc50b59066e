//! Which services outside of the device may be asked. Asks none of them.

use loquat_part::Finding;
use loquat_skills::permission::{SERVICES, Service, Standing};

use crate::settings::Settings;
use crate::settings::wording::listed;

/// Says what leaves the device without a question, what does not, and what is asked about first.
pub(super) fn finding(settings: &Settings) -> Finding {
    let rules = settings.network.rules();
    let names = |standing: Standing| {
        let of_it = SERVICES
            .into_iter()
            .filter(|service| rules.of(*service) == standing);
        // Without a server that the owner has named there is nothing to ask.
        let has_server = settings
            .web
            .search_url
            .as_ref()
            .is_some_and(|url| !url.is_empty());
        listed(
            of_it
                .filter(|service| has_server || *service != Service::WebSearch)
                .map(Service::name),
        )
    };
    Finding::ok(
        "network",
        format!(
            "may ask: {}; may not ask: {}; asks you first about: {} (network.allowed and network.denied in loquat.toml)",
            names(Standing::Allowed),
            names(Standing::Denied),
            names(Standing::Unasked)
        ),
    )
}

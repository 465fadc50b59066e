//! The services outside of the device: which of them are allowed, and a way to change that. Asks none of them.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use loquat_agent::printable::printable;
use loquat_skills::permission::{Rules, SERVICES, Service, Standing};
use maud::{Markup, html};

use super::super::shell::csrf;
use crate::answer::answered;
use crate::page_state::PageState;
use crate::session::Session;
use crate::submission::Submission;

/// How a service stands, by the value of its field, and in words.
const STANDINGS: [(&str, Standing, &str); 3] = [
    ("allowed", Standing::Allowed, "allowed"),
    ("denied", Standing::Denied, "not allowed"),
    ("unasked", Standing::Unasked, "asks first"),
];

/// Shows all services with a field for each.
pub(super) fn table(session: &Session, rules: &Rules) -> Markup {
    html! {
        section.card aria-labelledby="outside" {
            h2 id="outside" { "Outside of this device" }
            p.hint {
                "Services that its skills may ask; a persona with \"network\": false asks none of them. Servers that the settings "
                "or a persona name are not among them."
            }
            @for service in SERVICES {
                form.standing method="post" action="/settings/network" {
                    (csrf(session))
                    input type="hidden" name="service" value=(service.name());
                    label for=(format!("network-{service}")) { (service.title()) }
                    select id=(format!("network-{service}")) name="standing" {
                        @for (value, standing, words) in STANDINGS {
                            option value=(value) selected[rules.of(service) == standing] { (words) }
                        }
                    }
                    button aria-label={"Set: " (service.title())} { "Set" }
                }
            }
        }
    }
}

/// Changes how one of them stands.
pub(in super::super) async fn change(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let service = sent.get("service").unwrap_or_default().parse::<Service>();
    let wanted = sent.get("standing").unwrap_or_default();
    let standing = STANDINGS.iter().find(|(value, ..)| *value == wanted);
    let done = match (service, standing) {
        (Err(unknown), _) => Err(printable(&unknown.to_string()).into_owned()),
        (Ok(_), None) => Err("A service is allowed, denied or unasked.".to_owned()),
        (Ok(service), Some((_, standing, words))) => {
            let permitted = page.device.administration.permit(service, *standing).await;
            permitted.map(|()| Some(format!("{}: {words}, from now on.", service.title())))
        }
    };
    answered(&session, "/settings", done)
}

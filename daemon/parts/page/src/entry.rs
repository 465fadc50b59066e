//! Entering and leaving: by the address that `loquat page` prints, or by the password where one is set.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Extension, Query, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use loquat_part::lockout::Guesser;
use maud::{DOCTYPE, Markup, html};
use secrecy::SecretString;
use serde::Deserialize;

use super::guard::COOKIE_NAME;
use super::listener::Caller;
use super::page_state::PageState;
use super::session::Session;
use super::submission::Submission;
use super::views::shell;
use super::words_choice;

/// What the address may hold.
#[derive(Debug, Deserialize)]
pub(super) struct Ticket {
    token: Option<String>,
}

/// A browser comes with a token, or looks for the way in.
pub(super) async fn knock(
    State(page): State<Arc<PageState>>,
    headers: HeaderMap,
    Query(ticket): Query<Ticket>,
) -> Response {
    match ticket.token {
        Some(token) if page.sessions.redeem(&token) => let_in(&page, &headers).await,
        Some(_) => expired(&page),
        None => way_in(&page, None).into_response(),
    }
}

fn expired(page: &PageState) -> Response {
    let why = "This address was used already or has expired. Run loquat page once more for another one.";
    (StatusCode::UNAUTHORIZED, way_in(page, Some(why))).into_response()
}

/// A browser comes with a password, or with a token that stood in a file.
pub(super) async fn enter(
    State(page): State<Arc<PageState>>,
    Extension(Caller(address)): Extension<Caller>,
    headers: HeaderMap,
    Extension(sent): Extension<Submission>,
) -> Response {
    if let Some(token) = sent.get("token") {
        return if page.sessions.redeem(token) {
            let_in_from_elsewhere(&page, &headers).await
        } else {
            expired(&page)
        };
    }
    let by = guesser(address);
    let password = SecretString::from(sent.get("password").unwrap_or_default());
    if page.password.opens(password, &by).await {
        return let_in(&page, &headers).await;
    }
    let why = if page.password.is_locked(&by) {
        "Too many wrong passwords. None is taken from here for five minutes; loquat page lets you in meanwhile."
    } else {
        "This is not the password."
    };
    (StatusCode::UNAUTHORIZED, way_in(&page, Some(why))).into_response()
}

/// Tells by the address who tries a password. Who has one address of IPv6 has all of its network.
fn guesser(address: IpAddr) -> Guesser {
    match address.to_canonical() {
        address if address.is_loopback() => Guesser::Here,
        IpAddr::V4(address) => Guesser::Elsewhere(address.to_string()),
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            Guesser::Elsewhere(Ipv6Addr::from_bits(network).to_string())
        }
    }
}

/// A browser leaves.
pub(super) async fn leave(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Response {
    page.sessions.leave(&session);
    let gone = format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    (
        StatusCode::SEE_OTHER,
        [(SET_COOKIE, gone), (LOCATION, "/enter".to_owned())],
    )
        .into_response()
}

async fn let_in(page: &PageState, headers: &HeaderMap) -> Response {
    (
        StatusCode::SEE_OTHER,
        [
            (SET_COOKIE, new_cookie(page, headers)),
            (LOCATION, page.first_view().await.to_owned()),
        ],
    )
        .into_response()
}

/// A browser that is sent on from another page leaves our cookie out until a page of ours leads it.
async fn let_in_from_elsewhere(page: &PageState, headers: &HeaderMap) -> Response {
    let first = page.first_view().await;
    let led = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="refresh" content={"0; url=" (first)};
                title { "Loquat" }
            }
            body { a href=(first) { "To the page of Loquat" } }
        }
    };
    ([(SET_COOKIE, new_cookie(page, headers))], led).into_response()
}

fn new_cookie(page: &PageState, headers: &HeaderMap) -> String {
    let session = page.sessions.enter();
    words_choice::recall(headers, &session);
    let secure = if page.own.is_encrypted() { "; Secure" } else { "" };
    format!(
        "{COOKIE_NAME}={}; Path=/; HttpOnly; SameSite=Strict{secure}",
        session.secret()
    )
}

fn way_in(page: &PageState, complaint: Option<&str>) -> Markup {
    let content = html! {
        main.entry id="main" {
            h1 { "Loquat" }
            @if let Some(complaint) = complaint { p.fault role="alert" { (complaint) } }
            p { "To enter, run this on the device. It opens this page, or prints an address that is good once:" }
            p { code { "loquat page" } }
            @if page.password.is_set() {
                form method="post" action="/enter" {
                    label for="password" { "Or the password" }
                    input #password type="password" name="password" autocomplete="current-password" required;
                    button.primary { "Enter" }
                }
            }
        }
    };
    shell::document("Enter", &content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> Guesser {
        guesser(address.parse().unwrap())
    }

    #[test]
    fn passwords_are_counted_by_address() {
        for address in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(of(address), Guesser::Here, "{address}");
        }
        assert_ne!(of("192.168.1.2"), of("192.168.1.3"));
        assert_eq!(of("192.168.1.2"), of("::ffff:192.168.1.2"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }
}

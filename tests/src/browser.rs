//! A browser without a screen: it keeps its cookie, sends forms as a person at the page would, and hears what is pushed.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;

use crate::daemon::Launch;
use crate::home::{Home, free_port};
use crate::wait::within;

/// The browser, at one page.
#[derive(Debug, Clone)]
pub struct Browser {
    client: Client,
    root: String,
    cookie: Option<String>,
    csrf: String,
}

/// What is pushed to an open view.
#[derive(Debug)]
pub struct Pushed {
    answer: Response,
    /// What has come of the next piece.
    held: String,
}

/// Has the daemon of this home serve a page, and tells where.
pub fn served(home: &Home) -> String {
    let port = free_port();
    home.setting("page.port", &port.to_string());
    format!("http://127.0.0.1:{port}")
}

/// Asks `loquat page` in this home for the address that it prints.
pub async fn address(home: &Home) -> String {
    let ended = Launch::new(home, &["page"]).run().await;
    assert!(ended.status.success(), "{}", ended.shown());
    ended.stdout.trim().to_owned()
}

impl Browser {
    /// Makes one that has not entered.
    pub fn outside(root: &str) -> Self {
        let client = loquat_tls::http_client()
            .redirect(Policy::none())
            .danger_accept_invalid_certs(true)
            .no_proxy();
        Self {
            client: client.build().expect("a client can be made"),
            root: root.to_owned(),
            cookie: None,
            csrf: String::new(),
        }
    }

    /// Makes one that has entered by the address that `loquat page` prints in this home.
    pub async fn entered(home: &Home, root: &str) -> Self {
        let mut browser = Self::outside(root);
        let answer = browser.client.get(address(home).await).send().await;
        browser.keep(&answer.expect("the page answers"));
        browser.look("/").await;
        browser
    }

    /// Gives the visit of this one to a browser without a connection to the page.
    #[must_use]
    pub fn without_connection(&self) -> Self {
        Self {
            cookie: self.cookie.clone(),
            csrf: self.csrf.clone(),
            ..Self::outside(&self.root)
        }
    }

    /// Takes over the cookie of an answer; whether there was one.
    pub fn keep(&mut self, answer: &Response) -> bool {
        let cookie = answer.headers().get("set-cookie");
        let cookie = cookie.and_then(|cookie| cookie.to_str().ok()?.split(';').next());
        self.cookie = cookie.map(str::to_owned);
        self.cookie.is_some()
    }

    /// Makes a request as this browser makes it, which may still be changed.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.root));
        match &self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        }
    }

    /// Gives what a form holds to show whose it is.
    pub fn csrf(&self) -> &str {
        &self.csrf
    }

    /// Reads the text of a view.
    pub async fn look(&mut self, path: &str) -> String {
        let answer = self.request(Method::GET, path).send().await;
        let text = answer
            .expect("the page answers")
            .text()
            .await
            .expect("a view is text");
        let begin = "name=\"csrf\" value=\"";
        if let Some((_, rest)) = text.split_once(begin) {
            rest.split('"')
                .next()
                .unwrap_or_default()
                .clone_into(&mut self.csrf);
        }
        text
    }

    /// Sends a form of the view that was looked at last; where the browser is then to look.
    pub async fn send(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let own = [("csrf", self.csrf.as_str())];
        let fields: Vec<(&str, &str)> = own.iter().chain(fields).copied().collect();
        let answer = self.submit(path, &fields).await;
        let status = answer.status();
        assert_eq!(status, StatusCode::SEE_OTHER, "{path}: {:?}", answer.text().await);
        let place = answer
            .headers()
            .get("location")
            .and_then(|place| place.to_str().ok());
        place.unwrap_or_default().to_owned()
    }

    /// Sends a form and looks where it leads.
    pub async fn send_and_look(&mut self, path: &str, fields: &[(&str, &str)]) -> String {
        let place = self.send(path, fields).await;
        self.look(&place).await
    }

    /// Sends these fields as they are.
    pub async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.request(Method::POST, path).header("origin", &self.root);
        request.form(fields).send().await.expect("the page answers")
    }

    /// Opens the stream of a view.
    pub async fn watch(&self, view: &str) -> Pushed {
        let answer = self.request(Method::GET, &format!("/live/{view}")).send().await;
        let answer = answer.expect("the page answers");
        assert_eq!(answer.status(), StatusCode::OK);
        Pushed {
            answer,
            held: String::new(),
        }
    }
}

impl Pushed {
    /// Waits for the first piece that is like this.
    pub async fn piece(&mut self, what: &str, deadline: Duration, is_it: impl Fn(&Value) -> bool) -> Value {
        let found = async {
            loop {
                let piece = self.next().await.expect("the stream goes on");
                if is_it(&piece) {
                    return piece;
                }
            }
        };
        within(what, deadline, found).await
    }

    /// Waits for the stream to end in time.
    pub async fn ends(&mut self, deadline: Duration) {
        let ended = async { while self.next().await.is_some() {} };
        within("the end of the stream", deadline, ended).await;
    }

    /// Waits for the next piece; gives `None` at the end.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, _)) = self.held.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let piece = data.and_then(|data| serde_json::from_str(data).ok());
                self.held = self.held.split_off(event.len() + 2);
                if piece.is_some() {
                    return piece;
                }
                continue;
            }
            let bytes = self.answer.chunk().await.ok().flatten()?;
            self.held.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
}

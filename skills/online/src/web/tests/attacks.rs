//! Addresses and pages that are built to reach what is not theirs: no connection comes to a server on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt;

use super::{WORLD, call, is_world, now, searching_at};
use crate::net::Fault;
use crate::net::Outlet;
use crate::net::fetch::Fetcher;
use crate::net::guard::{Guard, Refusal};
use crate::web::page::{Page, Pages};
use loquat_kit::permission::{Permissions, Rules, Service};
use loquat_trial::{Answer, Replay};

/// A device for which one address of this machine is the world. Names that begin with `public` are there, those that begin
/// with `rebinding` only when they are looked up for the first time, `mixed` ones are here and there, and all others here.
fn pages(world: u16, canary: u16) -> Pages {
    let asked = Arc::new(AtomicUsize::new(0));
    let lookup = move |name: String| {
        let there = SocketAddr::from((WORLD, world));
        let here = SocketAddr::from((Ipv4Addr::LOCALHOST, canary));
        let found = if name.starts_with("public") {
            vec![there]
        } else if name.starts_with("mixed") {
            vec![here, there, here]
        } else if name.starts_with("rebinding") && asked.fetch_add(1, Ordering::SeqCst) == 0 {
            vec![there]
        } else {
            vec![
                here,
                SocketAddr::from((IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]), canary)),
            ]
        };
        async move { Ok(found) }.boxed()
    };
    let guard = Guard::with(Arc::new(lookup), is_world, |_| true);
    let basis = || loquat_tls::http_client().tls_certs_only([]);
    Pages::by(Fetcher::new(open(), guard, "Loquat/test".to_owned(), basis))
}

/// A device for which the rules of the world hold, whatever port is named.
fn strict(canary: u16) -> Pages {
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, canary));
    let usual = Guard::default();
    let guard = Guard::with(
        Arc::new(move |_| async move { Ok(vec![here]) }.boxed()),
        usual.is_public,
        |_| true,
    );
    let basis = || loquat_tls::http_client().tls_certs_only([]);
    Pages::by(Fetcher::new(open(), guard, "Loquat/test".to_owned(), basis))
}

/// The way that the owner has allowed.
fn open() -> Outlet {
    Outlet::to(
        Service::WebPages,
        &Arc::new(Permissions::new(Rules::everything())),
    )
}

async fn read(pages: &Pages, url: &str) -> Result<Page, Refusal> {
    pages.read(url, now()).await
}

/// Hosts that are not the world, in every spelling; `*` is the port of the canary.
const CLOSED: &[&str] = &[
    "http://127.0.0.1:*/",
    "http://127.0.0.1/",
    "http://127.1:*/",
    "http://127.0.1:*/",
    "http://127.255.255.254:*/",
    "http://0:*/",
    "http://0.0.0.0:*/",
    "http://00000000:*/",
    "http://0x0:*/",
    "http://2130706433:*/",
    "http://0x7f000001:*/",
    "http://0x7F.0x0.0x0.0x1:*/",
    "http://0x7f.1:*/",
    "http://0177.0.0.1:*/",
    "http://017700000001:*/",
    "http://0177.1:*/",
    "http://127.0.0x1:*/",
    "http://127.0.0.1.:*/",
    "http://127.1.:*/",
    "http://%31%32%37.0.0.1:*/",
    "http://127%2e0%2e0%2e1:*/",
    "http://127。0。0。1:*/",
    "http://127｡0｡0｡1:*/",
    "http://１２７.０.０.１:*/",
    "http://①②⑦.⓪.⓪.①:*/",
    "http://[::1]:*/",
    "http://[0:0:0:0:0:0:0:1]:*/",
    "http://[::]:*/",
    "http://[::ffff:127.0.0.1]:*/",
    "http://[::ffff:7f00:1]:*/",
    "http://[::127.0.0.1]:*/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:*/",
    "http://[64:ff9b::127.0.0.1]:*/",
    "http://[64:ff9b::7f00:1]:*/",
    "http://[2002:7f00:1::]:*/",
    "http://[2001:0:7f00:1::]:*/",
    "http://[fe80::1]:*/",
    "http://[fc00::1]:*/",
    "http://[fd00::1]:*/",
    "http://[fec0::1]:*/",
    "http://[ff02::1]:*/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[2001:db8::1]:*/",
    "http://169.254.169.254/latest/meta-data/",
    "http://169.254.169.254.:80/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://10.0.0.1:*/",
    "http://10.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.1/",
    "http://3232235521/",
    "http://100.64.0.1/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://203.0.113.9/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://240.1.1.1/",
    "http://192.0.0.192/",
    "https://127.0.0.1:*/",
    "https://[::1]:*/",
    "HTTP://127.0.0.1:*/",
    "http:127.0.0.1:*/",
    "http:/127.0.0.1:*/",
    "http:\\\\127.0.0.1:*\\",
    "http:///127.0.0.1:*/",
    "  http://127.0.0.1:*/  ",
    "http://127.0.0.1:*#@public.example/",
    "http://127.0.0.1:*?@public.example/",
    "http://127.0.0.1:*\\@public.example/",
    "ht\ntp://127.0.0.1:*/",
    // Names that stand for this machine when they are looked up.
    "http://localhost:*/",
    "http://localhost.:*/",
    "http://LOCALHOST:*/",
    "http://ⓛocalhost:*/",
    "http://localhost.localdomain:*/",
    "http://ip6-localhost:*/",
    "http://printer.local:*/",
    "http://router/",
    "http://127.0.0.1.nip.io:*/",
    "http://alias.example:*/",
    "http://xn--bcher-kva.example/",
    "http://bücher.example/",
    "http://metadata.google.internal/",
    "http://homeassistant.local:*/",
    "http://public-not.example:*/",
];

/// What is no address of a page, or one with a name and a password.
const MISFORMED: &[(&str, Refusal)] = &[
    ("file:///etc/passwd", Refusal::Scheme),
    ("file://127.0.0.1/etc/passwd", Refusal::Scheme),
    ("ftp://127.0.0.1:*/", Refusal::Scheme),
    ("gopher://127.0.0.1:*/_GET", Refusal::Scheme),
    ("dict://127.0.0.1:*/", Refusal::Scheme),
    ("ws://127.0.0.1:*/", Refusal::Scheme),
    ("data:text/html,hello", Refusal::Scheme),
    ("javascript:alert(1)", Refusal::Scheme),
    ("unix:/run/loquat.sock", Refusal::Scheme),
    ("view-source:http://127.0.0.1:*/", Refusal::Scheme),
    ("http://public@127.0.0.1:*/", Refusal::UserInfo),
    ("http://public.example@127.0.0.1:*/", Refusal::UserInfo),
    ("http://public.example:80@127.0.0.1:*/", Refusal::UserInfo),
    ("http://:secret@127.0.0.1:*/", Refusal::UserInfo),
    ("http://a:b@public.example/", Refusal::UserInfo),
    ("http://127.0.0.1:*@public.example/", Refusal::UserInfo),
    ("127.0.0.1:*", Refusal::NoAddress),
    ("//127.0.0.1:*/", Refusal::NoAddress),
    ("http://", Refusal::NoAddress),
    ("http://[::1", Refusal::NoAddress),
    ("http://[fe80::1%25eth0]/", Refusal::NoAddress),
    ("http://127.0.0.1:99999/", Refusal::NoAddress),
    ("http://256.0.0.1/", Refusal::NoAddress),
    ("http://127.0.0.0x100/", Refusal::NoAddress),
    ("", Refusal::NoAddress),
];

async fn canary() -> Replay {
    Replay::start("127.0.0.1", |_| Answer::html("<p>secret</p>")).await
}

#[tokio::test]
async fn no_spelling_of_a_private_host_is_connected() {
    let canary = canary().await;
    let pages = strict(canary.port);
    for url in CLOSED {
        let url = url.replace('*', &canary.port.to_string());
        let refused = read(&pages, &url).await.map(|page| page.url).expect_err(&url);
        assert_eq!(refused, Refusal::Private, "{url}");
    }
    for (url, expected) in MISFORMED {
        let url = url.replace('*', &canary.port.to_string());
        let refused = read(&pages, &url).await.map(|page| page.url).expect_err(&url);
        assert_eq!(refused, *expected, "{url}");
    }
    assert_eq!(canary.connections(), 0);
    assert!(
        CLOSED.len() + MISFORMED.len() >= 100,
        "{}",
        CLOSED.len() + MISFORMED.len()
    );
}

#[tokio::test]
async fn no_redirect_leads_to_a_private_host() {
    let canary = canary().await;
    for url in CLOSED.iter().filter(|url| url.starts_with("http://")) {
        let location = url.replace('*', &canary.port.to_string());
        // A header holds no other letters.
        if !location.is_ascii() {
            continue;
        }
        let world = Replay::start("127.0.0.2", move |path| match path {
            "/robots.txt" => Answer::status(404),
            _ => Answer::elsewhere(&location),
        });
        let world = world.await;
        let device = pages(world.port, canary.port);
        let refused = read(&device, "http://public.example/").await.map(|page| page.url);
        assert!(
            matches!(refused, Err(Refusal::Private | Refusal::Fault(_))),
            "{url}: {refused:?}"
        );
        assert!(world.connections() >= 2, "{url}");
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn redirects_have_rules_of_their_own() {
    let canary = canary().await;
    for (location, expected) in [
        ("file:///etc/passwd", Refusal::Scheme),
        ("ftp://public.example/", Refusal::Scheme),
        ("gopher://127.0.0.1:70/", Refusal::Scheme),
        ("http://a@public.example/", Refusal::UserInfo),
        ("//127.0.0.1/", Refusal::Private),
        ("/again", Refusal::Redirects),
        ("http://public.example/", Refusal::Redirects),
    ] {
        let world = Replay::start("127.0.0.2", move |path| match path {
            "/robots.txt" => Answer::status(404),
            _ => Answer::elsewhere(location),
        });
        let world = world.await;
        let refused = read(&pages(world.port, canary.port), "http://public.example/").await;
        assert_eq!(
            refused.map(|page| page.url).expect_err(location),
            expected,
            "{location}"
        );
        assert!(world.connections() <= 5, "{location}: {}", world.connections());
    }
    assert_eq!(canary.connections(), 0);
    let guard = Guard::default();
    let secure = guard.read("https://example.org/a").expect("an address");
    assert_eq!(
        guard.forwarded(&secure, "http://example.org/"),
        Err(Refusal::Scheme)
    );
    assert_eq!(
        guard.forwarded(&secure, "b").expect("an address").as_str(),
        "https://example.org/b"
    );
    assert_eq!(guard.read("http://example.org:22/"), Err(Refusal::Port));
    assert_eq!(
        guard.read(&format!("http://example.org/{}", "x".repeat(3000))),
        Err(Refusal::NoAddress)
    );
}

#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let canary = canary().await;
    let world = Replay::start("127.0.0.2", |path| match path {
        "/robots.txt" => Answer::status(404),
        _ => Answer::html("<p>public</p>"),
    });
    let world = world.await;
    let device = pages(world.port, canary.port);
    // It is looked up for the site's rules, and once more for the page.
    let refused = read(&device, "http://rebinding.example/")
        .await
        .map(|page| page.url);
    assert_eq!(refused, Err(Refusal::Private));
    let found = read(&pages(world.port, canary.port), "http://mixed.example/")
        .await
        .map(|page| page.url);
    assert!(!matches!(found, Err(Refusal::Private)), "{found:?}");
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn rules_of_a_site_cannot_lead_astray() {
    let canary = canary().await;
    let location = format!("http://127.0.0.1:{}/robots.txt", canary.port);
    let world = Replay::start("127.0.0.2", move |_| Answer::elsewhere(&location)).await;
    let refused = read(&pages(world.port, canary.port), "http://public.example/").await;
    assert_eq!(refused.map(|page| page.url), Err(Refusal::Private));
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn answers_that_cost_much_are_given_up() {
    let bomb = |kind: &str| {
        let headers = format!("content-type: text/html\r\ncontent-encoding: {kind}\r\n");
        Answer::Whole(200, headers, vec![0x1f, 0x8b, 8, 0])
    };
    let html = |body: String| Answer::html(&body);
    for (answer, expected) in [
        (Answer::Endless, Refusal::Fault(Fault::Endless)),
        (Answer::Headers, Refusal::Fault(Fault::Unreachable)),
        (Answer::Cut(b"<p>".to_vec()), Refusal::Fault(Fault::Cut)),
        (Answer::busy(), Refusal::Fault(Fault::Busy(180))),
        (Answer::status(404), Refusal::Fault(Fault::Refused(404))),
        (Answer::status(500), Refusal::Fault(Fault::Broken(500))),
        (bomb("gzip"), Refusal::Fault(Fault::Garbled)),
        (bomb("br"), Refusal::Fault(Fault::Garbled)),
        (bomb("zstd, gzip"), Refusal::Fault(Fault::Garbled)),
        (html("<div>".repeat(100_000)), Refusal::Unreadable),
        (html("<p>".repeat(100_000)), Refusal::Unreadable),
        (html("<b><a>".repeat(50_000)), Refusal::Unreadable),
        (html("<table><tr><td>".repeat(30_000)), Refusal::Unreadable),
        (Answer::json("{}"), Refusal::NoText),
    ] {
        let shown = format!("{answer:?}").chars().take(60).collect::<String>();
        assert_eq!(refusal(answer).await, expected, "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn slow_answers_are_given_up() {
    for answer in [Answer::Slow, Answer::Silence] {
        assert_eq!(refusal(answer).await, Refusal::Fault(Fault::Slow));
    }
}

/// Why a page of the world with this answer is not read.
async fn refusal(answer: Answer) -> Refusal {
    let world = Replay::start("127.0.0.2", move |path| match path {
        "/robots.txt" => Answer::status(404),
        _ => answer.clone(),
    });
    let world = world.await;
    let read = read(&pages(world.port, 1), "http://public.example/").await;
    read.map(|page| page.url).expect_err("a refusal")
}

#[tokio::test]
async fn a_search_server_at_home_is_no_way_into_the_home() {
    let server = canary().await;
    let port = server.port;
    for url in [
        format!("http://127.0.0.1:{port}/search"),
        format!("http://localhost:{port}/"),
    ] {
        let arguments = serde_json::json!({"url": url});
        let complaint = call(searching_at(&server.url), "fetch_page", arguments).await;
        let complaint = complaint.expect_err("a complaint").to_string();
        assert!(complaint.contains("the page "), "{complaint}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_page_of_the_world_is_read_as_its_site_allows() {
    let canary = canary().await;
    let paragraph = "The loquat is a large evergreen shrub, grown for its orange fruit. ".repeat(200);
    let page = format!("<title>Loquat</title><article><p>{paragraph}</p></article>");
    let world = Replay::start("127.0.0.2", move |path| match path {
        "/robots.txt" => Answer::Whole(200, String::new(), b"User-agent: *\nDisallow: /closed".to_vec()),
        "/moved" => Answer::elsewhere("/page"),
        "/sneaky" => Answer::elsewhere("/closed"),
        "/noai" => Answer::Whole(
            200,
            "content-type: text/html\r\nx-robots-tag: noai\r\n".to_owned(),
            page.clone().into(),
        ),
        "/text" => Answer::Whole(
            200,
            "content-type: text/plain\r\n".to_owned(),
            b"plain\r\ntext\x07".to_vec(),
        ),
        _ => Answer::html(&page),
    });
    let world = world.await;
    let device = pages(world.port, canary.port);
    let found = read(&device, "http://public.example/moved")
        .await
        .expect("a page");
    assert_eq!(found.url.as_str(), "http://public.example/page");
    assert_eq!(found.readable.title, "Loquat");
    assert!(
        found.readable.text.contains("orange fruit."),
        "{}",
        found.readable.text
    );
    for path in ["closed", "closed/more", "sneaky", "noai"] {
        let refused = read(&device, &format!("http://public.example/{path}")).await;
        assert_eq!(refused.map(|page| page.url), Err(Refusal::Robots), "{path}");
    }
    let found = read(&device, "http://public.example/text").await.expect("a page");
    assert_eq!(found.readable.text, "plain\ntext");
    let rules = world
        .questions()
        .iter()
        .filter(|asked| asked.contains("/robots.txt"))
        .count();
    assert_eq!(rules, 1, "the rules are asked for once");
    let found = read(&device, "http://public.example/page").await.expect("a page");
    let told = serde_json::to_value(crate::web::tools::text(found)).expect("an object");
    assert!(
        told["left_out"].as_u64().is_some_and(|rest| rest > 1000),
        "{told}"
    );
}

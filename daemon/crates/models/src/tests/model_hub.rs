//! A server that answers as the model hub does: it knows files and sends to another server for those that are large.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use super::hub::checksum;

/// The commit that `main` is.
pub(super) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// How the hub behaves.
#[derive(Debug, Clone, Default)]
pub(super) struct Behaviour {
    /// A repository is for those with this token.
    pub(super) token: Option<&'static str>,
    /// The checksum that it tells, where that is not the right one.
    pub(super) told: Option<String>,
    /// It tells nothing of large files, as a plain web server.
    pub(super) is_plain: bool,
    /// The other server breaks off after so many bytes, once.
    pub(super) cut_after: Option<usize>,
}

/// The hub; and beside it the server with large files. They run until the test's process ends.
pub(super) struct ModelHub {
    pub(super) url: String,
    /// What was asked: the method, the path, and what logs in. Those of the other server begin with `storage`.
    pub(super) asked: Arc<Mutex<Vec<String>>>,
}

impl ModelHub {
    /// Has one repository, `owner/repo`, with these files.
    pub(super) fn start(files: &[(&str, Vec<u8>)], behaviour: Behaviour) -> Self {
        let files: BTreeMap<String, Vec<u8>> = files
            .iter()
            .map(|(path, content)| ((*path).to_owned(), content.clone()))
            .collect();
        let (hub, storage) = (bound(), bound());
        let address =
            |listener: &TcpListener| format!("http://{}", listener.local_addr().expect("an address"));
        let (url, storage_url) = (address(&hub), address(&storage));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (note, files_there) = (Arc::clone(&asked), files.clone());
        let mut cut = behaviour.cut_after;
        serve(storage, move |request| {
            note.lock()
                .expect("a lock")
                .push(format!("storage {} {}", request.token, request.range));
            let content = &files_there[request.path.trim_start_matches('/')];
            part_of(content, request.range, cut.take())
        });
        let note = Arc::clone(&asked);
        serve(hub, move |request| {
            let line = format!("{} {} {}", request.method, request.path, request.token);
            note.lock().expect("a lock").push(line.trim_end().to_owned());
            of_hub(request, &files, &behaviour, &storage_url)
        });
        Self { url, asked }
    }

    pub(super) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().expect("a lock"))
    }
}

struct Request<'a> {
    method: &'a str,
    path: &'a str,
    token: &'a str,
    range: &'a str,
}

fn of_hub(
    request: &Request<'_>,
    files: &BTreeMap<String, Vec<u8>>,
    behaviour: &Behaviour,
    storage: &str,
) -> Vec<u8> {
    if let Some(rest) = request.path.strip_prefix("/former/repo/") {
        return headers("307 Temporary Redirect", &format!("Location: /owner/repo/{rest}"));
    }
    if request.path.starts_with("/endless/") {
        return headers("307 Temporary Redirect", &format!("Location: {}", request.path));
    }
    let Some(rest) = request
        .path
        .trim_start_matches("/api/models")
        .strip_prefix("/owner/repo/")
    else {
        return headers(
            "401 Unauthorized",
            "X-Error-Code: RepoNotFound\r\nX-Error-Message: Invalid username or password.",
        );
    };
    let wanted = behaviour.token.map(|token| format!("Bearer {token}"));
    if wanted.is_some_and(|wanted| wanted != request.token) {
        return headers(
            "401 Unauthorized",
            "X-Error-Code: GatedRepo\r\nX-Error-Message: Access to model owner/repo is restricted.",
        );
    }
    if let Some(revision) = rest.strip_prefix("tree/") {
        return if behaviour.is_plain || !revision.starts_with("main?") {
            headers("404 Not Found", "X-Error-Code: RevisionNotFound")
        } else {
            list(files)
        };
    }
    let found = rest
        .strip_prefix("resolve/")
        .and_then(|rest| rest.split_once('/'));
    let found = found.filter(|(revision, _)| ["main", COMMIT].contains(revision));
    let Some((file, content)) = found.and_then(|(_, file)| Some((file, files.get(file)?))) else {
        return headers("404 Not Found", "X-Error-Code: EntryNotFound");
    };
    if behaviour.is_plain {
        return part_of(content, request.range, None);
    }
    let told = behaviour.told.clone().unwrap_or_else(|| checksum(content));
    headers(
        "302 Found",
        &format!(
            "Location: {storage}/{file}\r\nX-Repo-Commit: {COMMIT}\r\nX-Linked-Size: {}\r\nX-Linked-Etag: \"{told}\"\r\nETag: \"{told}\"",
            content.len()
        ),
    )
}

fn list(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let entries = files.iter().map(|(path, content)| {
        let (size, oid) = (content.len(), checksum(content));
        serde_json::json!({"type": "file", "path": path, "size": size, "oid": "a1b2",
            "lfs": {"oid": oid, "size": size, "pointerSize": 135}})
    });
    let folder = serde_json::json!({"type": "directory", "path": "Q4", "size": 0, "oid": "a1b2"});
    let body = entries.chain([folder]).collect::<serde_json::Value>().to_string();
    format!(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn headers(status: &str, more: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n{more}\r\n\r\n").into_bytes()
}

fn part_of(content: &[u8], range: &str, cut: Option<usize>) -> Vec<u8> {
    let from = range
        .strip_prefix("bytes=")
        .and_then(|from| from.trim_end_matches('-').parse().ok());
    let from: usize = from.unwrap_or(0);
    let (status, body) = (
        if from > 0 { "206 Partial Content" } else { "200 OK" },
        &content[from..],
    );
    let total = content.len();
    let mut answer = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\nContent-Range: bytes {from}-{}/{total}\r\n\r\n",
        body.len(),
        total - 1
    )
    .into_bytes();
    answer.extend(&body[..cut.unwrap_or(body.len())]);
    answer
}

fn bound() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").expect("a port")
}

fn serve(listener: TcpListener, mut answer: impl FnMut(&Request<'_>) -> Vec<u8> + Send + 'static) {
    let run = move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away in the middle is part of some tests.
            drop(serve_one(stream, &mut answer));
        }
    };
    let thread = thread::Builder::new().name("model-hub".to_owned());
    thread.spawn(run).expect("a thread");
}

fn serve_one(mut stream: TcpStream, answer: &mut impl FnMut(&Request<'_>) -> Vec<u8>) -> std::io::Result<()> {
    let mut lines = Vec::new();
    for line in BufReader::new(stream.try_clone()?).lines() {
        let line = line?;
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let value = |name: &str| {
        let values = lines.iter().filter_map(|line| line.split_once(": "));
        let mut values = values.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        values.next().map_or("", |(_, value)| value)
    };
    let mut first = lines.first().map_or("", String::as_str).split(' ');
    let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let (token, range) = (value("authorization"), value("range"));
    let whole = answer(&Request {
        method,
        path,
        token,
        range,
    });
    let end = whole.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(0) + 4;
    stream.write_all(if method == "HEAD" { &whole[..end] } else { &whole })
}

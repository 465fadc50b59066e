//! A small hub that answers as it is told to, one answer a request.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use sha2::{Digest, Sha256};

/// The manner in which one request is answered.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// The answer is what was asked for.
    Honest,
    /// The answer is what was asked for, but the connection ends after this many bytes.
    CutAfter(usize),
    /// The answer is the whole file, whatever was asked for.
    Whole,
    /// The answer has other bytes of the same number.
    Other,
    /// The answer has a byte too much.
    TooLong,
    Status(&'static str),
    /// Sends so many bytes, then nothing until the client goes away.
    Stall(usize),
}

/// The hub. It ends when its answers are used up.
pub(super) struct TestHub {
    pub(super) url: String,
    /// The `Range` header of each request, empty where there was none.
    pub(super) ranges: Receiver<String>,
    paths: Receiver<String>,
}

impl TestHub {
    pub(super) fn start(content: Vec<u8>, answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/model.bin", listener.local_addr().expect("an address"));
        let (sender, ranges) = channel();
        let (path_sender, paths) = channel();
        let serve = move || {
            for answer in answers {
                let Ok((stream, _)) = listener.accept() else {
                    return;
                };
                // A client that goes away in the middle is part of some tests.
                drop(serve(stream, &content, answer, (&path_sender, &sender)));
            }
        };
        thread::Builder::new()
            .name("test-hub".to_owned())
            .spawn(serve)
            .expect("a thread");
        Self { url, ranges, paths }
    }

    pub(super) fn path(&self) -> String {
        self.paths.try_recv().expect("a request")
    }

    pub(super) fn requested(&self) -> Vec<String> {
        self.ranges.try_iter().collect()
    }
}

fn serve(
    mut stream: TcpStream,
    content: &[u8],
    answer: Answer,
    (paths, ranges): (&Sender<String>, &Sender<String>),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (path, range) = requested(&mut reader)?;
    drop(paths.send(path));
    drop(ranges.send(range.clone()));
    let from: usize = range
        .strip_prefix("bytes=")
        .and_then(|from| from.trim_end_matches('-').parse().ok())
        .unwrap_or(0);
    let from = if matches!(answer, Answer::Whole) { 0 } else { from };
    if let Answer::Status(status) = answer {
        return write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    }
    let mut body = content.get(from..).unwrap_or_default().to_vec();
    match answer {
        Answer::Other => body.reverse(),
        Answer::TooLong => body.push(0),
        _ => {}
    }
    let status = if from > 0 { "206 Partial Content" } else { "200 OK" };
    let total = content.len() + usize::from(matches!(answer, Answer::TooLong));
    write!(
        stream,
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    )?;
    write!(
        stream,
        "Content-Range: bytes {from}-{}/{total}\r\n\r\n",
        total.saturating_sub(1)
    )?;
    match answer {
        Answer::CutAfter(count) => stream.write_all(body.get(..count).unwrap_or(&body)),
        Answer::Stall(count) => {
            stream.write_all(body.get(..count).unwrap_or(&body))?;
            // Returns when the client closes its end.
            drop(reader.read_line(&mut String::new()));
            Ok(())
        }
        _ => stream.write_all(&body),
    }
}

/// Reads the path and the `Range` header of a request.
fn requested(reader: &mut impl BufRead) -> std::io::Result<(String, String)> {
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut range = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            return Ok((path, range));
        }
        if let Some((name, value)) = line.split_once(':') {
            if name.eq_ignore_ascii_case("range") {
                value.trim().clone_into(&mut range);
            }
        }
    }
}

/// Makes bytes that differ everywhere, so that a misplaced piece shows.
pub(super) fn content(length: usize) -> Vec<u8> {
    (0..length)
        .map(|index| (index.wrapping_mul(31) >> 3) as u8 ^ (index >> 11) as u8)
        .collect()
}

pub(super) fn checksum(content: &[u8]) -> String {
    format!("{:x}", Sha256::digest(content))
}

//! The echo as a receipt: a client that has it can be sure that all others have the frame, should the bus be killed now.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use loquat_bus::{BusServerOptions, EmbeddedBus};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::support::within;

const HANDSHAKE: &str = "GET /core HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// Writing to this many listeners takes a while.
const LISTENERS: usize = 200;

/// An echo waits less long than this, and no test may take longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Joins the bus with a socket that blocks, and reads the greeting.
fn join(port: u16) -> TcpStream {
    let mut tcp = TcpStream::connect(("127.0.0.1", port)).unwrap();
    tcp.set_read_timeout(Some(PATIENCE)).unwrap();
    tcp.write_all(HANDSHAKE.as_bytes()).unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        tcp.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    frame(&mut tcp);
    tcp
}

/// Reads one frame of the bus, which is short.
fn frame(tcp: &mut TcpStream) -> Vec<u8> {
    let mut head = [0; 2];
    tcp.read_exact(&mut head).unwrap();
    let length = match head[1] {
        126 => {
            let mut long = [0; 2];
            tcp.read_exact(&mut long).unwrap();
            u16::from_be_bytes(long).into()
        }
        short => usize::from(short),
    };
    let mut text = vec![0; length];
    tcp.read_exact(&mut text).unwrap();
    text
}

/// Sends a short text, masked with zeros.
fn send(tcp: &mut TcpStream, text: &str) {
    let mut frame = vec![0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0];
    frame.extend(text.as_bytes());
    tcp.write_all(&frame).unwrap();
}

async fn bus() -> (u16, CancellationToken, thread::JoinHandle<()>) {
    let stop = CancellationToken::new();
    let (tell, told) = oneshot::channel();
    let token = stop.clone();
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let bus = EmbeddedBus::bind(BusServerOptions::on_port(0)).unwrap();
            tell.send(bus.local_addr().port()).unwrap();
            bus.run(token).await;
        });
    });
    (within(told).await.unwrap(), stop, thread)
}

#[tokio::test]
async fn whoever_has_the_echo_knows_that_all_others_have_the_frame() {
    let (port, stop, thread) = bus().await;
    let mut listeners: Vec<TcpStream> = (0..LISTENERS).map(|_| join(port)).collect();
    let mut sender = join(port);
    for listener in &listeners {
        listener.set_nonblocking(true).unwrap();
    }
    for number in 0..20 {
        let text = format!(r#"{{"type":"test.{number}","data":{{}}}}"#);
        send(&mut sender, &text);
        assert_eq!(frame(&mut sender), text.as_bytes());
        // What is not there now would be lost if the bus were killed. The last to come are the last to be served.
        for listener in listeners.iter_mut().rev() {
            assert_eq!(frame(listener), text.as_bytes(), "frame {number}");
        }
    }
    stop.cancel();
    drop((sender, listeners));
    thread.join().unwrap();
}

#[tokio::test]
async fn somebody_who_does_not_read_keeps_no_echo_back_for_long() {
    let (port, stop, thread) = bus().await;
    let (deaf, mut sender) = (join(port), join(port));
    // More than the system keeps for a connection whose client does not read.
    let large = format!(
        r#"{{"type":"test.large","data":{{"x":"{}"}}}}"#,
        "x".repeat(1 << 20)
    );
    let mut bytes = vec![0x81, 0xff];
    bytes.extend((large.len() as u64).to_be_bytes());
    bytes.extend([0; 4]);
    bytes.extend(large.as_bytes());
    let started = Instant::now();
    for _ in 0..30 {
        // The bus's frame has the same head, but for the mask.
        let mut echo = vec![0; 10 + large.len()];
        sender.write_all(&bytes).unwrap();
        sender.read_exact(&mut echo).unwrap();
        assert!(echo.ends_with(large.as_bytes()));
    }
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    stop.cancel();
    drop((deaf, sender));
    thread.join().unwrap();
}

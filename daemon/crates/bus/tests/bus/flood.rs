//! A client that sends without a pause, on a bus with one thread for all its clients.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use loquat_bus::{BusServerOptions, EmbeddedBus};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::support::{Raw, within};

/// A frame that the bus drops, as often as one write takes: a text of one letter, masked with zeros.
const FRAME: &[u8] = &[0x81, 0x81, 0, 0, 0, 0, b'['];
const FRAMES_A_WRITE: usize = 10_000;

/// What passes for prompt, in a program that is not optimised, on a machine with other work.
const PROMPTLY: Duration = Duration::from_secs(2);

const HANDSHAKE: &str = "GET /core HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A bus on a thread of its own with a runtime of one thread.
async fn bus_on_one_thread(stop: CancellationToken) -> (u16, JoinHandle<()>) {
    let (tell, told) = oneshot::channel();
    let thread = thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let bus = EmbeddedBus::bind(BusServerOptions::on_port(0)).unwrap();
            tell.send(bus.local_addr().port()).unwrap();
            bus.run(stop).await;
        });
    });
    (within(told).await.unwrap(), thread)
}

/// Sends until the connection is shut, as fast as the system takes it.
fn flood(port: u16) -> (TcpStream, JoinHandle<()>) {
    let mut tcp = TcpStream::connect(("127.0.0.1", port)).unwrap();
    tcp.write_all(HANDSHAKE.as_bytes()).unwrap();
    assert!(tcp.read(&mut [0; 1024]).unwrap() > 0);
    let handle = tcp.try_clone().unwrap();
    let frames = FRAME.repeat(FRAMES_A_WRITE);
    (
        handle,
        thread::spawn(move || while tcp.write_all(&frames).is_ok() {}),
    )
}

#[tokio::test]
async fn a_client_that_sends_without_a_pause_keeps_nobody_waiting() {
    let stop = CancellationToken::new();
    let (port, bus) = bus_on_one_thread(stop.clone()).await;
    let mut other = Raw::connect(port, "/core", None).await.unwrap();
    assert_eq!(other.message().await.topic, "connected");
    let (handle, flooding) = flood(port);
    for number in 0..50 {
        let frame = format!(r#"{{"type":"test.ping","data":{{"n":{number}}}}}"#);
        other.send(&frame).await;
        let echo = timeout(PROMPTLY, other.text()).await;
        assert_eq!(echo.expect("an echo").as_str(), frame);
    }
    handle.shutdown(Shutdown::Both).unwrap();
    flooding.join().unwrap();
    stop.cancel();
    drop(other);
    bus.join().unwrap();
}

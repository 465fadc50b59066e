//! A client that sends without a pause, on a bus with one thread for all its clients.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::StreamExt;
use loquat_bus::{BusServerOptions, EmbeddedBus};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use tokio::io::AsyncWriteExt;

use crate::support::{Device, Raw, within};

/// A frame that the bus drops, as often as one write takes: a text of one letter, masked with zeros.
const FRAME: &[u8] = &[0x81, 0x81, 0, 0, 0, 0, b'['];
const FRAMES_A_WRITE: usize = 10_000;

/// An answer within this time passes for prompt, in a program that is not optimised, on a machine with other work.
const PROMPTLY: Duration = Duration::from_secs(2);

const HANDSHAKE: &str = "GET /core HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

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

fn half_frame(claimed: u64, sent: usize) -> Vec<u8> {
    let mut frame = vec![0x81, 0xff];
    frame.extend(claimed.to_be_bytes());
    frame.extend([0; 4]);
    frame.resize(frame.len() + sent, b' ');
    frame
}

#[tokio::test]
async fn unfinished_frames_of_all_clients_together_are_bounded() {
    let device = Device::with(|options: &mut BusServerOptions| options.limits.max_unfinished = 4 << 20);
    let mut person = device.raw().await;
    let mut greedy = Vec::new();
    for _ in 0..5 {
        let mut client = device.raw().await;
        let half = half_frame(2 << 20, 1 << 20);
        client.stream.get_mut().write_all(&half).await.unwrap();
        greedy.push(client);
    }
    let goodbyes = greedy.iter_mut().map(Raw::goodbye);
    let (first, others) = within(futures_util::future::select_ok(
        goodbyes.map(|goodbye| Box::pin(async { Ok::<_, ()>(goodbye.await) })),
    ))
    .await
    .unwrap();
    assert_eq!((first, others.len()), (Some(1009), 4));
    drop(others);
    person.send(r#"{"type":"test.a"}"#).await;
    assert_eq!(person.message().await.topic, "test.a");
}

#[tokio::test]
async fn a_frame_that_does_not_end_closes_its_connection_and_a_ping_does_not_help() {
    let patience = Duration::from_millis(200);
    let device = Device::with(|options: &mut BusServerOptions| options.limits.frame_patience = patience);
    let mut slow = device.raw().await;
    // A fragment, and a ping in the middle of the frame.
    let mut begun = vec![0x01, 0x83, 0, 0, 0, 0, b'{', b'"', b'a'];
    begun.extend([0x89, 0x80, 0, 0, 0, 0]);
    slow.stream.get_mut().write_all(&begun).await.unwrap();
    assert_eq!(slow.goodbye().await, Some(1008));

    let mut quiet = device.raw().await;
    quiet
        .stream
        .get_mut()
        .write_all(&[0x89, 0x80, 0, 0, 0, 0])
        .await
        .unwrap();
    let mut other = device.raw().await;
    other
        .stream
        .get_mut()
        .write_all(&half_frame(100, 7))
        .await
        .unwrap();
    assert_eq!(other.goodbye().await, Some(1008));
    quiet.send(r#"{"type":"test.a"}"#).await;
    assert_eq!(quiet.message().await.topic, "test.a");
}

#[tokio::test]
async fn of_clients_that_do_not_read_the_last_is_cut_off_when_all_have_too_much() {
    let device = Device::with(|options: &mut BusServerOptions| options.limits.max_waiting_in_all = 1000);
    let mut slow = device.raw().await;
    let mut sender = device.raw().await;
    let text = format!(r#"{{"type":"test.a","data":{{"x":"{}"}}}}"#, "x".repeat(16 << 10));
    for _ in 0..4000 {
        sender.send(&text).await;
        assert_eq!(sender.text().await.as_str(), text);
    }
    let end = within(async { while slow.stream.next().await.is_some_and(|frame| frame.is_ok()) {} });
    end.await;
    sender.send(&text).await;
    assert_eq!(sender.text().await.as_str(), text);
}

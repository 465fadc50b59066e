//! The embedded bus with its echo path, for websocket conformance suites: prints the address and serves until killed.
#![expect(clippy::print_stdout, reason = "whoever starts it reads the address")]

use loquat_bus::{BindError, BusServerOptions, EmbeddedBus};
use tokio_util::sync::CancellationToken;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BindError> {
    let mut options = BusServerOptions::on_port(0);
    options.echo_route = Some("/echo".to_owned());
    let bus = EmbeddedBus::bind(options)?;
    println!("ws://{}/echo", bus.local_addr());
    bus.run(CancellationToken::new()).await;
    Ok(())
}

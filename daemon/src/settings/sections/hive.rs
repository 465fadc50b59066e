//! `[hive]`: satellites that speak HiveMind, and the hive that this device joins.

use std::net::SocketAddr;

use crate::settings::section::section;

section! {
    /// Satellites that speak HiveMind 3 and ask this device. `loquat hive add` makes their keys.
    "hive" Hive {
        /// Address and port of this device at which satellites are listened for.
        /// Absent: they are not. All that a satellite says is encrypted, and only one that knows its password comes in; who
        /// reads along on the way learns which satellites there are.
        listen: Option<SocketAddr> = None, eg "0.0.0.0:5678";
        /// Whether recordings of satellites are turned into text, where a whisper model is installed. The microphone's own go
        /// first.
        transcribe: bool = true;
    }
}

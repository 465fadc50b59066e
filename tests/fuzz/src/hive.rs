//! A message of HiveMind: what can be read as bits comes back from the bits that are written of it.

use loquat_hive::HiveMessage;

/// Another byte in front says that they are JSON.
const JSON: u8 = b'{';

pub(crate) fn feed(bytes: &[u8]) {
    if bytes.first() == Some(&JSON) {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(message) = HiveMessage::from_json(&text) {
            assert!(message.object().is_some(), "text carries an object");
            goes_round(&message);
        }
    } else if let Ok(message) = HiveMessage::from_bits(bytes) {
        goes_round(&message);
    }
}

fn goes_round(message: &HiveMessage) {
    if let Some(bits) = message.to_bits() {
        let again = HiveMessage::from_bits(&bits).expect("what we write can be read");
        assert_eq!(&again, message);
    }
}

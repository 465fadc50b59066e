//! What a worker says of a turn, line by line, each begun by a letter: pieces of a reply, an entry of the journal, of itself, a
//! request, or an order.

use loquat_workers::Rehearsal;

/// The request whose reply is told in the seeds.
const REQUEST: &str = "00000000deadbeef";

/// More than is kept of a reply while it is written, as it is shown.
const MOST: usize = 16 << 20;

pub(crate) fn feed(bytes: &[u8]) {
    let mut rehearsal = Rehearsal::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some((kind, payload)) = line.split_first() else {
            continue;
        };
        match kind {
            b't' => {
                let heard = rehearsal.tell(payload, REQUEST);
                assert!(heard <= MOST, "no more is kept than may be");
            }
            b'w' => drop(rehearsal.write(payload)),
            b'p' => drop(rehearsal.announce(payload)),
            b'a' => drop(rehearsal.ask(payload)),
            _ => drop(rehearsal.order(payload)),
        }
    }
}

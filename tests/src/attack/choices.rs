//! What others may not choose: which file of the person a persona brings along, whose tool a name means, and which address at
//! home is fetched.
//!
//! The addresses are tried in a namespace of their own, in which this machine has addresses of the world as a home with IPv6
//! does; where none can be made the row says so.

mod files;
mod names;

use self::files::Laid;
use self::names::Rivals;
use super::fetches::{self, is_isolated};
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::dice::Dice;

/// Tries of each kind.
const TRIES: usize = 24;

/// Files, names and addresses.
pub async fn attack(scale: Scale) -> Row {
    if is_isolated() {
        return fetches::near(scale, TRIES).await;
    }
    let mut dice = Dice::new(scale.seed);
    let (mut laid, mut rivals) = (None, None);
    let target = Target::begin(|tester, home| {
        let tester = laid.insert(Laid::lay(home, &mut dice, TRIES)).listed_by(tester);
        rivals = Some(Rivals::write(home, &mut dice, TRIES));
        Rivals::known_to(tester)
    })
    .await;
    let mut row = Row::default();
    let question = target.ask().await;
    let (laid, rivals) = laid.zip(rivals).expect("both were made for the persona");
    laid.judge(&target, &mut row);
    rivals.attack(&target, &mut row).await;
    let (files, names) = (laid.len(), rivals.len());
    row.count = files + names;
    let let_through = row.faults.len();
    row.faults.truncate(5);
    let mut row = target.judged(row, question).await;
    let addresses = fetches::near_in_a_namespace(scale).await;
    row.count += addresses.count;
    row.faults.extend(addresses.faults);
    row.seen = format!(
        "{files} files, {names} names: {let_through} through; {}",
        addresses.seen
    );
    row
}

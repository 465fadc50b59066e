//! `make attack`: attacks the daemon in every way that the kit knows, and prints a table with a verdict for each.
//!
//! ATTACKS names those that are wanted, FRAMES says how many generated frames there are, SEED what they grow from, and
//! SHORT takes the numbers of the short form. The exit code is 1 when anything broke.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use loquat_tests::attack::Attack;
use loquat_tests::attack::fetches::is_isolated;
use loquat_tests::attack::row::heading;
use loquat_tests::attack::scale::Scale;
use loquat_tests::binaries::setting;
use loquat_tests::machine;

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let scale = scale()?;
    let attacks = attacks()?;
    if is_isolated() {
        // The process outside shows the row.
        for attack in attacks {
            println!("{}", serde_json::to_string(&attack.run(scale).await)?);
        }
        return Ok(ExitCode::SUCCESS);
    }
    println!("{}\n{}", machine::told(), heading());
    let mut broken = 0;
    for attack in attacks {
        let row = attack.run(scale).await;
        println!("{row}");
        broken += usize::from(!row.is_green());
    }
    println!("{broken} broken");
    Ok(ExitCode::from(u8::from(broken > 0)))
}

fn scale() -> Result<Scale> {
    let mut scale = if setting("SHORT").is_some() {
        Scale::short()
    } else {
        Scale::full()
    };
    if let Some(frames) = setting("FRAMES") {
        scale.frames = frames.parse().context("FRAMES must be a whole number")?;
    }
    if let Some(seed) = setting("SEED") {
        scale.seed = seed.parse().context("SEED must be a whole number")?;
    }
    Ok(scale)
}

fn attacks() -> Result<Vec<Attack>> {
    let Some(names) = setting("ATTACKS") else {
        return Ok(Attack::ALL.to_vec());
    };
    let wanted: Vec<_> = names.split(',').map(str::trim).collect();
    let known = |name: &&str| Attack::ALL.iter().any(|attack| attack.name() == *name);
    let names = Attack::ALL.map(Attack::name).join(", ");
    ensure!(wanted.iter().all(known), "ATTACKS must be of: {names}");
    Ok(Attack::ALL
        .into_iter()
        .filter(|attack| wanted.contains(&attack.name()))
        .collect())
}

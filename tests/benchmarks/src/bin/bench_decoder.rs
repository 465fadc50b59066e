//! `make bench-decoder`: the calls of BFCL v4's single-turn ground truths in every grammar, damaged one way at a time
//! and decoded again; and its irrelevance entries answered in prose, which must call nothing.
//!
//! A cell is the share of entries whose calls came back exactly: tool, argument names, values and order. The columns of
//! the peers are from another run over the 400 entries of `simple_python`, each peer in its own grammar, and repeated
//! here. Fails when a cell is below 100 % or a prose reply calls something. `SHOW=10` prints so many of the losses.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use loquat_agent::brain::{ChatReply, Finish, NativeCall, Usage};
use loquat_benchmarks::decoding::bfcl::{self, Entry};
use loquat_benchmarks::decoding::damage::{self, Damage, PEERS};
use loquat_benchmarks::decoding::grammar::{self, Grammar, Sent};
use loquat_benchmarks::decoding::{Wanted, prose};
use loquat_decoder::{Arguments, Call, Names, Verdict, decode};
use loquat_tests::binaries::setting;
use serde_json::{Map, Value};

fn main() -> Result<()> {
    let shown = match setting("SHOW") {
        Some(text) => text.parse().context("SHOW must be a whole number")?,
        None => 0,
    };
    let folder = bfcl::folder();
    let entries = bfcl::calls(&folder)?;
    let mut losses = Losses {
        shown,
        ..Losses::default()
    };
    println!(
        "{} entries with {} calls\n",
        entries.len(),
        entries.iter().map(|entry| entry.calls.len()).sum::<usize>()
    );
    head();
    for damage in damage::all() {
        let cells = grammar::ALL.map(|grammar| cell(&entries, &grammar, &damage, &mut losses));
        row(&damage, &cells);
    }
    println!(
        "\nThe last four columns are not from this run: measured once over the 400 entries of simple_python, Neurosurfer \
         0.1.2 and 2.0.0 and the expressions of ovos-agentic-loop each in its own grammar, json_repair 0.64 on the \
         arguments alone."
    );
    let fired = prose_calls(&bfcl::irrelevant(&folder)?, &mut losses);
    ensure!(losses.count == 0, "{} replies were not recovered", losses.count);
    ensure!(fired == 0, "{fired} replies in prose called a tool");
    Ok(())
}

/// What was not recovered.
#[derive(Default)]
struct Losses {
    shown: usize,
    count: usize,
    by_cell: BTreeMap<String, usize>,
}

impl Losses {
    fn add(&mut self, cell: &str, detail: impl FnOnce() -> String) {
        self.count += 1;
        let own = self.by_cell.entry(cell.to_owned()).or_default();
        *own += 1;
        if *own <= self.shown {
            println!("--- {cell}: {}", detail());
        }
    }
}

/// The share of entries that came back, in per cent; nothing where the damage says nothing about the grammar.
fn cell(entries: &[Entry], grammar: &Grammar, damage: &Damage, losses: &mut Losses) -> Option<f64> {
    let mut recovered = 0;
    for entry in entries {
        let names = Names::new(entry.tools.iter().cloned());
        let mut whole = true;
        for (sent, wanted) in grammar.render(&entry.calls, damage)? {
            let verdict = decode(&reply(&sent), &names).verdict;
            if !matches(&verdict, &wanted, grammar.untyped) {
                whole = false;
                let name = format!("{} / {}", damage.name, grammar.name);
                losses.add(&name, || format!("{}\n{sent:?}\n{verdict:?}", entry.id));
            }
        }
        recovered += usize::from(whole);
    }
    Some(recovered as f64 * 100.0 / entries.len() as f64)
}

fn reply(sent: &Sent) -> ChatReply {
    let native = |(index, (name, arguments)): (usize, &(String, String))| NativeCall {
        id: format!("call_{index}"),
        name: name.clone(),
        arguments: arguments.clone(),
    };
    let (content, tool_calls) = match sent {
        Sent::Text(text) => (text.clone(), Vec::new()),
        Sent::Native(calls) => (String::new(), calls.iter().enumerate().map(native).collect()),
    };
    ChatReply {
        content,
        reasoning: String::new(),
        tool_calls,
        finish: Finish::Stop,
        usage: Usage::default(),
    }
}

fn matches(verdict: &Verdict, wanted: &[Wanted], untyped: bool) -> bool {
    let same = |(found, wanted): (&Call, &Wanted)| {
        let arguments = match &found.arguments {
            Arguments::Named(named) if untyped => Some(typed_like(named, &wanted.arguments)),
            Arguments::Named(named) => Some(named.clone()),
            _ => None,
        };
        found.tool == wanted.tool && arguments.as_ref() == Some(&wanted.arguments)
    };
    match verdict {
        Verdict::Calls { calls, .. } => calls.len() == wanted.len() && calls.iter().zip(wanted).all(same),
        _ => false,
    }
}

/// Gives texts the types that are wanted, as the gate does with the tool's schema.
fn typed_like(found: &Map<String, Value>, wanted: &Map<String, Value>) -> Map<String, Value> {
    let typed = |(key, value): (&String, &Value)| {
        let is_text = wanted.get(key).is_some_and(Value::is_string);
        let parsed = value.as_str().filter(|_| !is_text);
        let parsed = parsed.and_then(|text| serde_json::from_str(text).ok());
        (key.clone(), parsed.unwrap_or_else(|| value.clone()))
    };
    found.iter().map(typed).collect()
}

fn prose_calls(entries: &[Entry], losses: &mut Losses) -> usize {
    let mut replies = 0;
    let mut fired = 0;
    for entry in entries {
        let names = Names::new(entry.tools.iter().cloned());
        for text in prose::about(&entry.tools) {
            replies += 1;
            if let Verdict::Calls { calls, .. } = decode(&reply(&Sent::Text(text.clone())), &names).verdict {
                fired += 1;
                losses.add("prose", || format!("{}\n{text}\n{calls:?}", entry.id));
            }
        }
    }
    println!(
        "\n{} irrelevance entries answered in prose, {replies} replies: {fired} calls",
        entries.len()
    );
    fired
}

fn head() {
    let names = grammar::ALL.map(|grammar| format!("{:>10}", grammar.name));
    let peers = PEERS.map(|name| format!("{name:>12}"));
    println!(
        "{:<26}{} |{}",
        "% recovered exactly",
        names.concat(),
        peers.concat()
    );
}

fn row(damage: &Damage, cells: &[Option<f64>]) {
    let cells: Vec<String> = cells.iter().map(|cell| format!("{:>10}", shown(*cell))).collect();
    let peers = damage.peers.unwrap_or(["–"; 4]).map(|cell| format!("{cell:>12}"));
    println!("{:<26}{} |{}", damage.name, cells.concat(), peers.concat());
}

/// Never rounded up to 100.
fn shown(cell: Option<f64>) -> String {
    cell.map_or_else(
        || "–".to_owned(),
        |cell| format!("{:.1}", (cell * 10.0).floor() / 10.0),
    )
}

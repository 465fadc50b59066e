//! The sample file: equal to the declarations, valid with every key set, and strict in every table.

use std::collections::BTreeSet;

use loquat_agent::turn::Budget;
use toml::{Table, Value};

use super::Machine;
use crate::settings::{Document, LoadOptions, Settings, sample, tables};

/// The sample with every key set.
fn uncommented() -> String {
    let uncomment = |line: &str| match line.strip_prefix('#') {
        Some(key) if !key.starts_with('#') && !key.starts_with(' ') && !key.is_empty() => key.to_owned(),
        _ => line.to_owned(),
    };
    sample().lines().map(uncomment).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_file_in_the_repository_is_the_generated_one() {
    let file = include_str!("../../../loquat.sample.toml");
    if file != sample() {
        let fresh = std::env::temp_dir().join("loquat.sample.toml");
        std::fs::write(&fresh, sample()).unwrap();
        panic!("daemon/loquat.sample.toml is not what the declarations say; the right one is in {fresh:?}");
    }
}

#[test]
fn the_sample_as_it_is_changes_nothing() {
    let machine = Machine::new();
    machine.write("etc/loquat/loquat.toml", sample());
    assert_eq!(machine.settings().document, Document::default());
}

#[test]
fn every_key_of_the_sample_is_accepted() {
    let machine = Machine::new();
    machine.write("etc/loquat/loquat.toml", uncommented());
    assert_eq!(machine.complaints(&[], &[]), [] as [&str; 0]);
    let set: Table = toml::from_str(&uncommented()).unwrap();
    let count: usize = set.values().map(|table| table.as_table().unwrap().len()).sum();
    let known: usize = tables().iter().map(|table| table.keys.len()).sum();
    assert_eq!(count, known);
    for entry in machine.settings().entries() {
        assert_ne!(entry.value, None, "{}", entry.key);
    }
}

#[test]
fn an_unknown_key_is_refused_in_every_table() {
    let machine = Machine::new();
    for table in tables() {
        let heading = format!("[{}]", table.name);
        let text = uncommented().replace(&heading, &format!("{heading}\nbogus_zzz = 1"));
        machine.write("etc/loquat/loquat.toml", &text);
        let complaints = Settings::load(&machine.environment(&[]), &LoadOptions::default()).unwrap_err();
        let complaints = machine.sentences(&complaints.0);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        let expected = format!("{}.bogus_zzz is no setting; [{}] knows ", table.name, table.name);
        assert!(complaints[0].contains(&expected), "{complaints:?}");
    }
}

/// The struct refuses what the catalogue would have let through, so neither can fall behind the other.
#[test]
fn the_structs_refuse_unknown_keys_by_themselves() {
    let brought = <Document as loquat_settings::Document>::brought();
    for table in tables() {
        let mut inner = Table::new();
        inner.insert("bogus".to_owned(), Value::from(1));
        let inner = Value::Table(inner);
        let own = brought.iter().find(|brought| brought.table.name == table.name);
        let error = if let Some(brought) = own {
            brought.try_read(inner).unwrap_err().to_string()
        } else {
            let document = Table::from_iter([(table.name.to_owned(), inner)]);
            let read = Value::Table(document).try_into::<Document>();
            read.unwrap_err().to_string()
        };
        assert!(error.contains("unknown field `bogus`"), "{error}");
    }
}

#[test]
fn the_budget_of_the_agent_has_no_other_keys() {
    let whole = Budget {
        max_tokens: Some(1),
        max_cost: Some(1.0),
        ..Budget::default()
    };
    let fields: BTreeSet<String> = Table::try_from(whole).unwrap().keys().cloned().collect();
    let tables = tables();
    let budget = tables.iter().find(|table| table.name == "budget").unwrap();
    let keys = budget.keys.iter().map(|key| key.name.to_owned()).collect();
    assert_eq!(fields, keys);
}

#[test]
fn every_key_is_explained_and_shows_a_value() {
    for table in tables() {
        assert!(!table.doc.trim().is_empty());
        for key in table.keys {
            assert!(key.doc.trim().ends_with('.'), "{}", key.path());
            let shown = key.default.is_some() != key.example.is_some();
            assert!(shown, "{} has a default or an example, and not both", key.path());
            let says_so = key.doc.contains("Absent:");
            assert_eq!(key.default.is_none(), says_so, "{}", key.path());
        }
    }
}

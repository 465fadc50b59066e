//! Settings as a whole, on machines that exist in a temporary folder only.

mod complaints;
mod layering;
#[path = "../../crates/settings/src/tests/machine.rs"]
mod machine;
mod sample_file;

use machine::Machine;

use super::{LoadOptions, Settings};

impl Machine {
    /// The complaints about the machine as it is, with the folder cut off.
    fn complaints(&self, pairs: &[(&str, &str)], overrides: &[&str]) -> Vec<String> {
        let (_, complaints) = Settings::load_leniently(&self.environment(pairs), &options(overrides));
        self.sentences(&complaints.0)
    }

    fn settings(&self) -> Settings {
        Settings::load(&self.environment(&[]), &LoadOptions::default()).unwrap()
    }
}

fn options(overrides: &[&str]) -> LoadOptions {
    LoadOptions {
        config_file: None,
        overrides: overrides.iter().map(|argument| (*argument).to_owned()).collect(),
    }
}

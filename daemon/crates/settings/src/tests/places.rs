//! Where things are kept, on machines of several kinds.

use std::path::{Path, PathBuf};

use super::machine::Machine;
use crate::{Environment, Folders};

fn folders(pairs: &[(&str, &str)]) -> Folders {
    let environment = Environment::from_pairs(pairs.iter().copied()).with_user_id(1234);
    Folders::find(&environment, None)
}

#[test]
fn a_person_has_the_xdg_folders() {
    let usual = folders(&[("HOME", "/home/ada"), ("XDG_RUNTIME_DIR", "/run/user/1234")]);
    let expected = Folders {
        config: Some(PathBuf::from("/home/ada/.config/loquat")),
        system_config: PathBuf::from("/etc/loquat"),
        state: PathBuf::from("/home/ada/.local/state/loquat"),
        models: PathBuf::from("/home/ada/.local/share/loquat/models"),
        carried: vec![
            PathBuf::from("/home/ada/.local/share/loquat"),
            PathBuf::from("/usr/share/loquat"),
        ],
        runtime: PathBuf::from("/run/user/1234/loquat"),
        credentials: None,
    };
    assert_eq!(usual, expected);
    let moved = folders(&[
        ("HOME", "/home/ada"),
        ("XDG_CONFIG_HOME", "/c"),
        ("XDG_STATE_HOME", "/s"),
        ("XDG_DATA_HOME", "relative/is/ignored"),
    ]);
    let expected = Folders {
        config: Some(PathBuf::from("/c/loquat")),
        state: PathBuf::from("/s/loquat"),
        runtime: PathBuf::from("/tmp/loquat-1234"),
        ..expected
    };
    assert_eq!(moved, expected);
}

#[test]
fn a_service_has_what_systemd_gives_it() {
    let service = folders(&[
        ("HOME", "/"),
        ("STATE_DIRECTORY", "/var/lib/loquat:/var/lib/other"),
        ("RUNTIME_DIRECTORY", "/run/loquat"),
        ("CREDENTIALS_DIRECTORY", "/run/credentials/loquat.service"),
    ]);
    let expected = Folders {
        config: None,
        system_config: PathBuf::from("/etc/loquat"),
        state: PathBuf::from("/var/lib/loquat"),
        models: PathBuf::from("/var/lib/loquat/models"),
        carried: vec![PathBuf::from("/usr/share/loquat")],
        runtime: PathBuf::from("/run/loquat"),
        credentials: Some(PathBuf::from("/run/credentials/loquat.service")),
    };
    assert_eq!(service, expected);
}

#[test]
fn without_anything_there_is_still_a_place() {
    let bare = folders(&[]);
    assert_eq!(bare.runtime, PathBuf::from("/tmp/loquat-1234"));
    assert_eq!(bare.state, PathBuf::from("/tmp/loquat-1234/state"));
    assert_eq!(bare.models, PathBuf::from("/tmp/loquat-1234/state/models"));
}

#[test]
fn the_folder_of_models_can_be_set() {
    let environment = Environment::from_pairs([("HOME", "/home/ada")]);
    for (set, expected) in [("~/models", "/home/ada/models"), ("/srv/m", "/srv/m")] {
        let folders = Folders::find(&environment, Some(Path::new(set)));
        assert_eq!(folders.models, PathBuf::from(expected));
    }
}

#[test]
fn an_empty_variable_is_an_absent_one() {
    let environment = Environment::from_pairs([("XDG_CONFIG_HOME", ""), ("HOME", "/home/ada")]);
    assert_eq!(environment.variable("XDG_CONFIG_HOME"), None);
    assert_eq!(
        environment.config_home(),
        Some(PathBuf::from("/home/ada/.config"))
    );
}

#[test]
fn the_environment_of_this_process_is_what_the_process_was_given() {
    let environment = Environment::from_process();
    // Cargo gives every test the name of its package.
    assert_eq!(
        environment.variable("CARGO_PKG_NAME"),
        Some(env!("CARGO_PKG_NAME"))
    );
    assert_eq!(
        environment.system_path("etc/loquat"),
        PathBuf::from("/etc/loquat")
    );
    let machine = Machine::new();
    let owner = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(machine.path("")).unwrap());
    assert_eq!(environment.user_id(), owner);
}

//! Rules of Landlock that begin with nothing: each right over files, ports and other processes is taken, and the program
//! adds what it needs.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

/// The newest rights that are given up, and the first that keep signals from processes of others; an older kernel knows
/// fewer of them.
const NEWEST: ABI = ABI::V6;

/// Rules that leave nothing. `compatibility` says what follows where the kernel knows fewer rights.
pub fn nothing(compatibility: CompatLevel) -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(compatibility)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()
}

/// Leaves these rights over a file, or over all beneath a folder. What is not there needs no right; the code that opens it
/// later says so better.
pub fn allow(
    rules: RulesetCreated,
    path: impl AsRef<Path>,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    match PathFd::new(path) {
        // Rights over a folder's contents cannot be given for a file.
        Ok(place) => rules.add_rule(PathBeneath::new(place, rights)),
        Err(_) => Ok(rules),
    }
}

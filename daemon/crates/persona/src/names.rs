//! Names and ids of personas: how one is made from the other, and how a spoken or typed one is found.

use loquat_settings::complaint::{Complaint, Origin};
use loquat_settings::wording::did_you_mean;

use super::persona::Persona;

/// The persona that answers when no default was set and it exists.
const USUAL_DEFAULT: &str = "loquat";

/// Makes the id of a name: lower case, every run of other characters than ASCII letters and digits as one
/// `-`. Empty when nothing is left.
pub fn slug(name: &str) -> String {
    let mut id = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            id.push(letter.to_ascii_lowercase());
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    id.trim_end_matches('-').to_owned()
}

/// Finds the index of the persona of this name: by name in any case, then by id.
pub(super) fn find(personas: &[Persona], name: &str) -> Option<usize> {
    let name = name.trim();
    let folded = name.to_lowercase();
    personas
        .iter()
        .position(|persona| persona.name.to_lowercase() == folded)
        .or_else(|| {
            let id = slug(name);
            personas
                .iter()
                .position(|persona| persona.id == id && !id.is_empty())
        })
}

/// Finds the index of the default persona, and complains when the one that was set does not exist.
pub(super) fn default_of(
    personas: &[Persona],
    wanted: Option<&(String, Origin)>,
) -> (Option<usize>, Option<Complaint>) {
    let usual = find(personas, USUAL_DEFAULT).or_else(|| (!personas.is_empty()).then_some(0));
    let Some((wanted, origin)) = wanted else {
        return (usual, None);
    };
    if let Some(index) = find(personas, wanted) {
        return (Some(index), None);
    }
    let names: Vec<&str> = personas.iter().map(|persona| persona.name.as_str()).collect();
    let instead = usual.and_then(|index| names.get(index)).copied();
    let text = format!(
        "no persona is called {wanted}; {}; {} answers",
        did_you_mean(wanted, &names).trim_end_matches('?'),
        instead.unwrap_or("nobody"),
    );
    (usual, Some(Complaint::warning(origin.clone(), text)))
}

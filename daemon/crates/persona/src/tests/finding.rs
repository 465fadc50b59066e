//! Which personas there are, which of two of the same name, how one is found, and who answers by default.

use loquat_settings::{Complaint, Origin};
use serde_json::json;

use super::{Shelf, known};
use crate::{Personas, slug};

fn put(shelf: &Shelf, path: &str, name: &str) {
    let file = json!({"name": name, "handlers": ["loquat-local-brain"], "description": path});
    shelf.write(path, file.to_string());
}

fn names(personas: &Personas) -> Vec<&str> {
    personas.iter().map(|persona| persona.name.as_str()).collect()
}

#[test]
fn the_first_of_a_name_wins() {
    let mut shelf = Shelf::new();
    put(&shelf, "person/z.json", "Loquat");
    put(&shelf, "machine/a.json", "LOQUAT");
    put(&shelf, "machine/b.json", "Other");
    put(&shelf, "machine/.hidden.json", "Hidden");
    put(&shelf, "machine/notes.txt", "Notes");
    shelf.sources.embedded = true;
    let (personas, complaints) = shelf.load();
    assert_eq!(complaints, [] as [&str; 0]);
    assert_eq!(
        names(&personas),
        [
            "Loquat", "Other", "Kitchen", "Desk", "House", "Steward", "Research", "Scout", "Abacus"
        ]
    );
    assert_eq!(
        personas.find("loquat").unwrap().description.as_deref(),
        Some("person/z.json")
    );
}

#[test]
fn two_of_a_name_in_one_folder_are_a_mistake() {
    let shelf = Shelf::new();
    put(&shelf, "person/a.json", "My LLM");
    put(&shelf, "person/b.json", "my-llm");
    let (personas, complaints) = shelf.load();
    assert_eq!(names(&personas), ["My LLM"]);
    assert_eq!(
        complaints,
        [
            "/person/b.json: my-llm is already the name of the persona in /person/a.json; this persona is left out"
        ]
    );
}

#[test]
fn switched_off_and_blacklisted_ones_are_left_out_quietly() {
    let mut shelf = Shelf::new();
    let off = json!({"name": "Off", "enabled": false, "handlers": ["nonsense"]});
    shelf.write("person/off.json", off.to_string());
    for (file, name) in [("by-file", "A"), ("b", "By Name"), ("c", "By Id"), ("d", "Stays")] {
        put(&shelf, &format!("person/{file}.json"), name);
    }
    shelf.write("person/by-file-too.json", "not even JSON");
    shelf.sources.blacklist = ["by-file", "By-File-Too", "by name", "by-id"]
        .map(str::to_owned)
        .to_vec();
    let (personas, complaints) = shelf.load();
    assert_eq!((names(&personas), complaints.len()), (vec!["Stays"], 0));
}

#[test]
fn a_persona_is_found_by_name_or_id_in_any_case() {
    let shelf = Shelf::new();
    put(&shelf, "person/llm.json", "My Local LLM");
    put(&shelf, "person/oma.json", "Änne");
    put(&shelf, "person/nameless.json", "");
    let (personas, _) = shelf.load();
    for (wanted, id) in [
        ("My Local LLM", "my-local-llm"),
        ("my local llm", "my-local-llm"),
        (" MY-LOCAL-LLM ", "my-local-llm"),
        ("my_local.llm", "my-local-llm"),
        ("änne", "nne"),
        ("Nameless", "nameless"),
    ] {
        assert_eq!(
            personas.find(wanted).map(|persona| persona.id.as_str()),
            Some(id),
            "{wanted}"
        );
    }
    for unknown in ["llm", "", "!", "local"] {
        assert!(personas.find(unknown).is_none(), "{unknown}");
    }
    assert_eq!((personas.len(), personas.is_empty()), (3, false));
}

#[test]
fn ids_are_of_letters_digits_and_dashes() {
    for (name, id) in [
        ("Remote LLama", "remote-llama"),
        ("1337 H4x0r", "1337-h4x0r"),
        ("--a__b--", "a-b"),
        ("日本", ""),
    ] {
        assert_eq!(slug(name), id);
    }
    let shelf = Shelf::new();
    put(&shelf, "person/tokyo.json", "東京");
    put(&shelf, "person/京都.json", "京都");
    let (personas, _) = shelf.load();
    let ids: Vec<&str> = personas.iter().map(|persona| persona.id.as_str()).collect();
    assert_eq!(ids, ["tokyo", "persona"]);
    assert_eq!(personas.find("東京").unwrap().id, "tokyo");
}

#[test]
fn the_default_is_the_one_that_was_set_else_loquat_else_the_first() {
    let mut shelf = Shelf::new();
    assert!(shelf.load().0.default_persona().is_none());
    put(&shelf, "person/a.json", "Ada");
    let default = |shelf: &Shelf| shelf.load().0.default_persona().unwrap().name.clone();
    assert_eq!(default(&shelf), "Ada");
    put(&shelf, "machine/b.json", "Loquat");
    assert_eq!(default(&shelf), "Loquat");
    shelf.sources.default = Some(("ada".to_owned(), Origin::Default));
    assert_eq!(default(&shelf), "Ada");
}

#[test]
fn a_default_that_is_not_there_is_one_sentence() {
    let mut shelf = Shelf::new();
    put(&shelf, "person/a.json", "Ada");
    put(&shelf, "person/b.json", "Loquat");
    for (wanted, meant) in [
        ("Loqaut", "did you mean Loquat"),
        ("Grace", "known are Ada and Loquat"),
    ] {
        shelf.sources.default = Some((
            wanted.to_owned(),
            Origin::Variable("LOQUAT_DESK__PERSONA".to_owned()),
        ));
        let (personas, complaints) = shelf.load();
        assert_eq!(personas.default_persona().unwrap().name, "Loquat");
        let expected = format!(
            "environment variable LOQUAT_DESK__PERSONA: no persona is called {wanted}; {meant}; Loquat answers"
        );
        assert_eq!(complaints, [expected]);
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_one_sentence() {
    let mut shelf = Shelf::new();
    let file = shelf.write("file", "not a folder");
    shelf.sources.folders.push(file);
    let (_, complaints) = Personas::load(&shelf.sources, &known());
    assert!(!complaints.iter().any(Complaint::is_refusal));
    assert_eq!(
        shelf.sentences(&complaints),
        ["/file: the personas here cannot be read: Not a directory (os error 20)"]
    );
}

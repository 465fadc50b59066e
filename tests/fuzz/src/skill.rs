//! A `SKILL.md` from somewhere, in a folder of skills with nothing beside it. Its instructions are not followed.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use loquat_skills::Resources;
use loquat_skills::skill_md::{self, SkillFolder};
use serde_json::Map;

use crate::folder;

/// As the Agent Skills format bounds it, in characters.
const LONGEST_DESCRIPTION: usize = 1024;

thread_local! {
    static RESOURCES: OnceCell<Resources> = const { OnceCell::new() };
}

pub(crate) fn feed(bytes: &[u8]) {
    folder::with_file("skills/stranger/SKILL.md", bytes, |root, _| {
        RESOURCES.with(|made| look(made.get_or_init(|| resources(root))));
    });
}

fn resources(root: &Path) -> Resources {
    let folder = SkillFolder {
        path: root.join("skills"),
        is_trusted: false,
    };
    Resources::volatile(Arc::new(loquat_skills::locales())).with_skill_folders(vec![folder])
}

fn look(resources: &Resources) {
    let none = Map::new();
    let mistakes = skill_md::mistakes(&none, &resources.skill_folders);
    let toolbox = loquat_skills::find(skill_md::ID, &none, resources);
    let toolbox = toolbox
        .expect("the toolbox is known")
        .expect("no setting is wrong");
    let tools = toolbox.tools();
    assert_eq!(
        tools.len() + mistakes.len(),
        1,
        "a skill is offered, or it is said why not"
    );
    for tool in &*tools {
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        assert!(
            !tool.name.is_empty() && tool.name.chars().all(is_plain),
            "a tool can be called by its name"
        );
        let letters = tool.description.chars().count();
        assert!(
            (1..=LONGEST_DESCRIPTION).contains(&letters) && !tool.description.contains(char::is_control),
            "a description is one short line"
        );
        assert!(tool.brings_foreign_text, "a stranger's words stay a stranger's");
    }
    for mistake in &mistakes {
        assert!(!mistake.why.is_empty(), "it is said what is wrong");
        assert_ne!(mistake.line, Some(0), "lines count from 1");
    }
}

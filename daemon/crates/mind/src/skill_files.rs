//! Where the skills in `SKILL.md` files of this device are, and what is wrong with them. Reads no instructions.

use loquat_persona::Personas;
use loquat_settings::{Complaint, Environment, Folders, Origin};
use loquat_skills::Resources;
use loquat_skills::skill_md::{self, SkillFolder, SkillMistake};
use serde_json::Map;

/// The folders, the strongest first. What the owner writes stands beside `loquat.toml`; what comes from elsewhere is kept
/// with the data, and is taken for words of strangers.
pub fn folders(folders: &Folders, environment: &Environment) -> Vec<SkillFolder> {
    let own = folders.config.iter().cloned();
    let own = own.chain([folders.system_config.clone()]);
    let own = own.map(|folder| (folder.join("skills"), true));
    let others = environment
        .data_home()
        .map(|home| (home.join("loquat/skills"), false));
    let all = own.chain(others);
    all.map(|(path, is_trusted)| SkillFolder { path, is_trusted })
        .collect()
}

/// The skills that are left out: of the folders, and of what personas list. Each is told once.
pub fn complaints(personas: &Personas, resources: &Resources) -> Vec<Complaint> {
    let boxes = personas.iter().flat_map(|persona| &persona.handlers);
    let boxes = boxes.flat_map(|handler| &handler.toolboxes);
    let listed = boxes.filter(|toolbox| toolbox.id == skill_md::ID);
    let mut mistakes: Vec<SkillMistake> = skill_md::mistakes(&Map::new(), &resources.skill_folders);
    for toolbox in listed {
        let own = skill_md::mistakes(&toolbox.settings, &resources.skill_folders);
        let new: Vec<SkillMistake> = own.into_iter().filter(|one| !mistakes.contains(one)).collect();
        mistakes.extend(new);
    }
    let complaint = |SkillMistake { file, line, why }| {
        let origin = Origin::file(file).at(line, None);
        Complaint::warning(origin, format!("{why}; this skill is left out"))
    };
    mistakes.into_iter().map(complaint).collect()
}

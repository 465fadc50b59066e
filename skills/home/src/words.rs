//! How people of a language speak of a home: articles, kinds of things, and words for all of them. Knows no home.

use loquat_kit::Locales;
use loquat_kit::answers::{self, forms, forms_of, without_leading};

use super::class::OF_COVERS;
use super::names::FOLDER;

/// The list of kinds, one of a kind and several.
const KINDS: &str = "kinds.value";

/// The list of words that are no names.
const WORDS: &str = "words.value";

/// It stands for what is spared, as it is folded.
const SPARED: &str = "…";

/// A kind of things, as a person names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Light,
    Switch,
    Fan,
    Cover,
    Climate,
    Player,
    Lock,
    Alarm,
    Valve,
    Siren,
    Scene,
    Script,
    Button,
    Toggle,
    Humidifier,
    Vacuum,
    Mower,
    Person,
    BinarySensor,
    Sensor,
    Weather,
    Todo,
    Everything,
}

/// Kinds by the names that tools and lists have for them.
const NAMES: [(&str, Kind); 27] = [
    ("light", Kind::Light),
    ("switch", Kind::Switch),
    ("fan", Kind::Fan),
    ("cover", Kind::Cover),
    ("climate", Kind::Climate),
    ("media_player", Kind::Player),
    ("player", Kind::Player),
    ("lock", Kind::Lock),
    ("alarm", Kind::Alarm),
    ("valve", Kind::Valve),
    ("siren", Kind::Siren),
    ("scene", Kind::Scene),
    ("script", Kind::Script),
    ("alarm_control_panel", Kind::Alarm),
    ("button", Kind::Button),
    ("input_button", Kind::Button),
    ("input_boolean", Kind::Toggle),
    ("humidifier", Kind::Humidifier),
    ("vacuum", Kind::Vacuum),
    ("lawn_mower", Kind::Mower),
    ("person", Kind::Person),
    ("binary_sensor", Kind::BinarySensor),
    ("sensor", Kind::Sensor),
    ("weather", Kind::Weather),
    ("todo", Kind::Todo),
    ("all", Kind::Everything),
    ("everything", Kind::Everything),
];

impl Kind {
    /// As tools name it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase().replace(' ', "_");
        let bare = name.strip_suffix('s').unwrap_or(&name);
        let found = NAMES.iter().find(|(known, _)| *known == name || *known == bare);
        found.map(|(_, kind)| *kind)
    }

    /// The kinds of entities that it stands for.
    pub(crate) fn domains(self) -> &'static [&'static str] {
        match self {
            Self::Light => &["light"],
            Self::Switch => &["switch"],
            Self::Fan => &["fan"],
            Self::Cover => &["cover"],
            Self::Climate => &["climate"],
            Self::Player => &["media_player"],
            Self::Lock => &["lock"],
            Self::Alarm => &["alarm_control_panel"],
            Self::Valve => &["valve"],
            Self::Siren => &["siren"],
            Self::Scene => &["scene"],
            Self::Script => &["script"],
            Self::Button => &["button", "input_button"],
            Self::Toggle => &["input_boolean"],
            Self::Humidifier => &["humidifier"],
            Self::Vacuum => &["vacuum"],
            Self::Mower => &["lawn_mower"],
            Self::Person => &["person"],
            Self::BinarySensor => &["binary_sensor"],
            Self::Sensor => &["sensor"],
            Self::Weather => &["weather"],
            Self::Todo => &["todo"],
            Self::Everything => &["light", "switch", "fan", "media_player"],
        }
    }
}

/// A kind that was named, and how many of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) kind: Kind,
    /// The class of cover that was named.
    pub(crate) class: Option<&'static str>,
    /// Another class that has the same name in a language: a German "Tor" is a gate or that of a garage.
    pub(crate) other_class: Option<&'static str>,
    pub(crate) is_several: bool,
    /// Really all of them, wherever they are.
    pub(crate) is_all: bool,
}

/// The words of one language.
pub(crate) struct Words {
    /// Those by which one of several things is chosen.
    answers: answers::Words,
    all: Vec<String>,
    /// The longest come first.
    kinds: Vec<(String, Named)>,
    ones: Vec<(Kind, String)>,
    /// These words mean being at home.
    home: Vec<String>,
    /// These words mean the room of the device.
    here: Vec<String>,
    /// These words mean all of the home.
    everywhere: Vec<String>,
    /// Words for doors, which only who locks them means as kinds of locks.
    doors: Vec<String>,
    /// Words for a room, the first as it is told.
    rooms: Vec<String>,
    room: Option<String>,
    /// Words between two things.
    joints: Vec<String>,
    /// Words for two of a kind.
    both: Vec<String>,
    /// What degrees are called.
    degrees: Vec<String>,
    /// Words around what is spared of many; two dots stand for it where it is not behind them.
    sparing: Vec<String>,
}

impl Named {
    /// The classes of covers that were named.
    pub(crate) fn classes(self) -> impl Iterator<Item = &'static str> {
        self.class.into_iter().chain(self.other_class)
    }

    /// One of the kind, or all that are near, rather than all of it.
    pub(crate) fn near(self) -> Self {
        Self {
            is_several: false,
            is_all: false,
            ..self
        }
    }
}

fn known_class(name: &str) -> Option<&'static str> {
    OF_COVERS.into_iter().find(|known| *known == name)
}

impl Words {
    pub(crate) fn of(locales: &Locales, lang: &str) -> Self {
        let listed = |name: &str| forms(locales, FOLDER, lang, WORDS, name);
        let mut kinds: Vec<(String, Named)> = Vec::new();
        let mut ones = Vec::new();
        for (name, forms) in locales.values(FOLDER, lang, KINDS) {
            let name = name.trim();
            let (name, is_several) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
            let (name, class) = name.split_once(':').unwrap_or((name, ""));
            let (class, other_class) = class.split_once(':').unwrap_or((class, ""));
            let Some(kind) = Kind::named(name) else { continue };
            let named = Named {
                kind,
                class: known_class(class),
                other_class: known_class(other_class),
                is_several: is_several || kind == Kind::Everything,
                is_all: kind == Kind::Everything,
            };
            if !named.is_several {
                ones.extend(forms.split('|').next().map(|form| (kind, form.trim().to_owned())));
            }
            kinds.extend(forms_of(forms).map(|form| (form, named)));
        }
        kinds.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        let mut values = locales.values(FOLDER, lang, WORDS);
        let room = values.find(|(known, _)| known.trim() == "room");
        let room = room.and_then(|(_, forms)| forms.split('|').next());
        Self {
            room: room.map(|form| form.trim().to_owned()),
            rooms: listed("room"),
            doors: listed("door"),
            here: listed("here"),
            everywhere: listed("everywhere"),
            answers: answers::Words::of(locales, lang),
            all: listed("all"),
            home: listed("home"),
            joints: listed("and"),
            both: listed("both"),
            degrees: listed("degree"),
            sparing: listed("except"),
            kinds,
            ones,
        }
    }

    /// What was said without case, accents and the articles in front.
    pub(crate) fn plain(&self, said: &str) -> String {
        self.answers.plain(said)
    }

    /// What a language calls one of a kind of entities.
    pub(crate) fn one_of(&self, domain: &str) -> Option<&str> {
        let mut ones = self.ones.iter();
        let found = ones.find(|(kind, _)| kind.domains().first() == Some(&domain));
        found.map(|(_, word)| word.as_str())
    }

    /// The words by which one of several things is chosen.
    pub(crate) fn answers(&self) -> &answers::Words {
        &self.answers
    }

    /// Whether these words mean a person's own home.
    pub(crate) fn is_home(&self, plain: &str) -> bool {
        plain == "home" || self.home.iter().any(|form| form == plain)
    }

    /// These classes of covers, with those that have the name of one of them in this language.
    pub(crate) fn of_one_name(&self, classes: &[String]) -> Vec<String> {
        let is_meant = |named: &&Named| {
            named
                .class
                .is_some_and(|class| classes.iter().any(|known| known == class))
        };
        let named = self.kinds.iter().map(|(_, named)| named).filter(is_meant);
        let mut all = classes.to_vec();
        for other in named.filter_map(|named| named.other_class) {
            if all.iter().all(|known| known != other) {
                all.push(other.to_owned());
            }
        }
        all
    }

    /// What a language calls a room.
    pub(crate) fn room(&self) -> Option<&str> {
        self.room.as_deref()
    }

    /// Whether these words mean a room, perhaps with its name: `the whole room`, `the kitchen room`.
    pub(crate) fn says_room(&self, said: &str, name: &str) -> bool {
        let bare = self.answers.without_articles(without_leading(said, &self.all));
        let unnamed = bare.strip_suffix(name).or_else(|| bare.strip_prefix(name));
        let unnamed = unnamed.map_or(bare, str::trim);
        self.rooms.iter().any(|form| form == bare || form == unnamed)
    }

    /// The names in words in which several stand beside each other, without articles.
    pub(crate) fn beside_each_other(&self, said: &str) -> Vec<String> {
        let plain = |part: &[&str]| self.plain(&part.join(" "));
        let listed = said.split(',').flat_map(|listed| {
            let listed = self.plain(listed);
            let words: Vec<&str> = listed.split(' ').collect();
            self.parted(&words).into_iter().map(plain).collect::<Vec<_>>()
        });
        listed.filter(|part| !part.is_empty()).collect()
    }

    /// The parts of these words between which joints stand.
    fn parted<'w>(&self, words: &'w [&'w str]) -> Vec<&'w [&'w str]> {
        let mut parts = Vec::new();
        let (mut rest, mut taken) = (words, 0);
        while let Some((part, behind)) = rest.split_at_checked(taken) {
            if let Some(count) = self.joint_at(behind) {
                parts.push(part);
                rest = behind.get(count..).unwrap_or_default();
                taken = 0;
            } else {
                taken += 1;
            }
        }
        parts.push(rest);
        parts
    }

    /// How many of these words, from the first one, are a joint: of several that stand there the longest.
    fn joint_at(&self, words: &[&str]) -> Option<usize> {
        let length = |joint: &String| {
            let count = joint.split(' ').count();
            let begins = words.get(..count)?;
            joint.split(' ').eq(begins.iter().copied()).then_some(count)
        };
        self.joints.iter().filter_map(length).max()
    }

    /// Whether words begin with one for all of a kind.
    pub(crate) fn says_all(&self, said: &str) -> bool {
        let said = loquat_kit::folded(said);
        without_leading(&said, &self.all).len() < said.len()
    }

    /// What two are said to be of: `lamps` of "both lamps".
    pub(crate) fn two_of<'a>(&self, plain: &'a str) -> Option<&'a str> {
        let bare = without_leading(plain, &self.both);
        (bare.len() < plain.len()).then(|| self.answers.without_articles(bare))
    }

    /// Whether this is a word or the sign for degrees.
    pub(crate) fn is_degrees(&self, said: &str) -> bool {
        let said = loquat_kit::folded(said);
        said.starts_with('°') || self.degrees.contains(&said)
    }

    /// Words around what is spared of many, in front of it and behind it.
    pub(crate) fn sparing(&self) -> impl Iterator<Item = (&str, &str)> {
        let forms = self
            .sparing
            .iter()
            .map(|form| form.split_once(SPARED).unwrap_or((form, "")));
        forms.map(|(front, back)| (front.trim(), back.trim()))
    }

    /// What is spared, without words that any of it may have in front: `hall` of "the one in the hall".
    pub(crate) fn spared(&self, plain: &str) -> String {
        self.answers.telling(plain).collect::<Vec<_>>().join(" ")
    }

    /// What stands behind a word that joins a place, without articles; nothing where none stands before it.
    pub(crate) fn joined<'a>(&self, plain: &'a str) -> Option<&'a str> {
        let rest = self.answers.without_joiners(plain);
        (rest.len() < plain.len()).then(|| self.answers.without_articles(rest))
    }

    /// Whether these words mean the room in which they are said.
    pub(crate) fn is_here(&self, plain: &str) -> bool {
        self.here.iter().any(|form| form == plain)
    }

    /// Whether these words mean all of the home.
    pub(crate) fn is_everywhere(&self, plain: &str) -> bool {
        self.everywhere.iter().any(|form| form == plain)
    }

    /// The words cut in two at each gap, the second part without the word that joins it.
    pub(crate) fn halves<'a>(&'a self, plain: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        plain.match_indices(' ').filter_map(|(at, _)| {
            let (front, back) = (plain.get(..at)?, plain.get(at + 1..)?);
            let back = self.answers.without_joiners(back);
            Some((front, self.answers.without_articles(back)))
        })
    }

    /// The kind of things that these words are, if they are nothing else.
    pub(crate) fn kind(&self, plain: &str) -> Option<Named> {
        let bare = without_leading(plain, &self.all);
        let is_all = bare.len() < plain.len();
        let bare = self.answers.without_articles(bare);
        let (_, named) = self.kinds.iter().find(|(form, _)| form == bare)?;
        Some(Named {
            is_all: is_all || named.is_all,
            is_several: is_all || named.is_several,
            ..*named
        })
    }

    /// The locks that these words mean where something is to be locked or unlocked: `the door`, `all doors`.
    pub(crate) fn door(&self, plain: &str) -> Option<Named> {
        let bare = without_leading(plain, &self.all);
        let is_all = bare.len() < plain.len();
        let bare = self.answers.without_articles(bare);
        self.doors.iter().any(|form| form == bare).then_some(Named {
            kind: Kind::Lock,
            class: None,
            other_class: None,
            is_several: is_all,
            is_all,
        })
    }

    /// A kind of things and the rest of the words, such as a room: `kitchen lights`, `lights in the kitchen`.
    pub(crate) fn kind_with_rest<'a>(
        &self,
        plain: &'a str,
        kind: &dyn Fn(&str) -> Option<Named>,
    ) -> Option<(Named, &'a str)> {
        let places = plain.match_indices(' ').map(|(at, _)| at);
        for at in places {
            let (front, back) = (plain.get(..at)?, plain.get(at + 1..)?);
            if let Some(named) = kind(back) {
                return Some((named, front));
            }
            if let Some(named) = kind(front) {
                let rest = self.answers.without_joiners(back);
                return Some((named, self.answers.without_articles(rest)));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn a_joint_of_several_words_parts_names_as_one_word_does() {
        let locales = loquat_kit::Skill::locales([&crate::SKILL]);
        for (lang, said, names) in [
            (
                "en",
                "the porch light as well as the hall fan",
                &["porch light", "hall fan"][..],
            ),
            (
                "en",
                "stove, the hood as well as oven and sink",
                &["stove", "hood", "oven", "sink"],
            ),
            ("en", "the lamp, as well as the radio", &["lamp", "radio"]),
            ("en", "as well as", &[]),
            ("en", "the well pump", &["well pump"]),
            ("de", "Flurlicht sowie die Stehlampe", &["flurlicht", "stehlampe"]),
            ("fr", "la lampe ainsi que le volet", &["lampe", "volet"]),
            (
                "es",
                "la lámpara así como el ventilador",
                &["lampara", "ventilador"],
            ),
            ("it", "la lampada nonché la ventola", &["lampada", "ventola"]),
            ("pt", "a lâmpada bem como o estore", &["lampada", "estore"]),
        ] {
            let parts = Words::of(&locales, lang).beside_each_other(said);
            assert_eq!(parts, names, "{lang}: {said}");
        }
    }

    #[test]
    fn degrees_are_known_by_their_word_or_their_sign() {
        let locales = loquat_kit::Skill::locales([&crate::SKILL]);
        for (lang, said, is_it) in [
            ("en", "degrees", true),
            ("en", "°C", true),
            ("en", "percent", false),
            ("de", "Grad", true),
            ("fr", "degrés", true),
            ("es", "grado", true),
            ("it", "gradi", true),
            ("pt", "graus", true),
            ("pt", "minutos", false),
        ] {
            assert_eq!(
                Words::of(&locales, lang).is_degrees(said),
                is_it,
                "{lang}: {said}"
            );
        }
    }
}

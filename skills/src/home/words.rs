//! How people of a language speak of a home: articles, kinds of things, and words for all of them. Knows no home.

use crate::locale::Locales;

use super::FOLDER;

/// The list of kinds, one of a kind and several.
const KINDS: &str = "kinds.value";

/// The list of words that are no names.
const WORDS: &str = "words.value";

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
    Everything,
}

/// Kinds by the names that tools and lists have for them.
const NAMES: [(&str, Kind); 14] = [
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
    ("everything", Kind::Everything),
];

impl Kind {
    /// As tools name it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
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
            Self::Everything => &["light", "switch", "fan", "media_player"],
        }
    }
}

/// A kind that was named, and how many of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) kind: Kind,
    pub(crate) is_several: bool,
    /// Really all of them, wherever they are.
    pub(crate) is_all: bool,
}

/// The words of one language.
pub(crate) struct Words {
    articles: Vec<String>,
    all: Vec<String>,
    joiners: Vec<String>,
    /// The longest first.
    kinds: Vec<(String, Named)>,
}

impl Words {
    pub(crate) fn of(locales: &Locales, lang: &str) -> Self {
        let listed = |name: &str| -> Vec<String> {
            let mut values = locales.values(FOLDER, lang, WORDS);
            let found = values.find(|(known, _)| known.trim() == name);
            found
                .map(|(_, forms)| forms_of(forms).collect())
                .unwrap_or_default()
        };
        let mut kinds: Vec<(String, Named)> = Vec::new();
        for (name, forms) in locales.values(FOLDER, lang, KINDS) {
            let name = name.trim();
            let (name, is_several) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
            let Some(kind) = Kind::named(name) else { continue };
            let named = Named {
                kind,
                is_several: is_several || kind == Kind::Everything,
                is_all: kind == Kind::Everything,
            };
            kinds.extend(forms_of(forms).map(|form| (form, named)));
        }
        kinds.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        Self {
            articles: listed("articles"),
            all: listed("all"),
            joiners: listed("in"),
            kinds,
        }
    }

    /// What was said without case, accents and the articles in front.
    pub(crate) fn plain(&self, said: &str) -> String {
        let folded = crate::folded(said);
        without_leading(&folded, &self.articles).to_owned()
    }

    /// The kind of things that these words are, if they are nothing else.
    pub(crate) fn kind(&self, plain: &str) -> Option<Named> {
        let bare = without_leading(plain, &self.all);
        let is_all = bare.len() < plain.len();
        let bare = without_leading(bare, &self.articles);
        let (_, named) = self.kinds.iter().find(|(form, _)| form == bare)?;
        Some(Named {
            is_all: is_all || named.is_all,
            is_several: is_all || named.is_several,
            ..*named
        })
    }

    /// A kind of things and the rest of the words, such as a room: `kitchen lights`, `lights in the kitchen`.
    pub(crate) fn kind_with_rest<'a>(&self, plain: &'a str) -> Option<(Named, &'a str)> {
        let places = plain.match_indices(' ').map(|(at, _)| at);
        for at in places {
            let (front, back) = (plain.get(..at)?, plain.get(at + 1..)?);
            if let Some(named) = self.kind(back) {
                return Some((named, front));
            }
            if let Some(named) = self.kind(front) {
                let rest = without_leading(back, &self.joiners);
                return Some((named, without_leading(rest, &self.articles)));
            }
        }
        None
    }
}

fn forms_of(forms: &str) -> impl Iterator<Item = String> + '_ {
    forms
        .split('|')
        .map(crate::folded)
        .filter(|form| !form.is_empty())
}

/// The text without words of the list that stand in front of others.
fn without_leading<'a>(text: &'a str, words: &[String]) -> &'a str {
    let mut rest = text;
    while let Some(shorter) = words
        .iter()
        .find_map(|word| rest.strip_prefix(word.as_str())?.strip_prefix(' '))
    {
        rest = shorter;
    }
    rest
}

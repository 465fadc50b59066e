//! The meanings in the source text of an entry, as each language's Wiktionary writes them.
//!
//! Shows nothing of a template but the words of the few that hold some; a meaning of which nothing is left is passed over.

use crate::reference::prose;

/// Meanings that are told.
const MOST: usize = 2;

/// In letters.
const LONGEST: usize = 200;

/// How a language's Wiktionary is written.
struct Form {
    lang: &'static str,
    /// What a heading of a word of the language holds.
    heading: &'static str,
    /// What comes before all meanings.
    opening: Option<&'static str>,
    /// How the line of a meaning begins.
    meaning: fn(&str) -> Option<&str>,
}

const FORMS: &[Form] = &[
    Form {
        lang: "en",
        heading: "==English==",
        opening: None,
        meaning: hashed,
    },
    Form {
        lang: "de",
        heading: "{{Sprache|Deutsch}}",
        opening: Some("{{Bedeutungen}}"),
        meaning: bracketed,
    },
    Form {
        lang: "fr",
        heading: "{{langue|fr}}",
        opening: None,
        meaning: hashed,
    },
    Form {
        lang: "es",
        heading: "{{lengua|es}}",
        opening: None,
        meaning: numbered,
    },
    Form {
        lang: "pt",
        heading: "{{-pt-}}",
        opening: None,
        meaning: hashed,
    },
    Form {
        lang: "it",
        heading: "{{-it-}}",
        opening: None,
        meaning: hashed,
    },
];

/// The first meanings of an entry; none where it has none in this language.
pub(super) fn meanings(text: &str, lang: &str) -> Vec<String> {
    let Some(form) = FORMS.iter().find(|form| form.lang == lang) else {
        return Vec::new();
    };
    let mut lines = text.lines().map(str::trim);
    let Some(heading) = lines.find(|line| is_heading(line, form)) else {
        return Vec::new();
    };
    // The next heading of the same rank is that of another language.
    let lines = lines.take_while(|line| !(1..=rank(heading)).contains(&rank(line)));
    let lines = lines.skip_while(|line| form.opening.is_some_and(|opening| !line.starts_with(opening)));
    let meanings = lines.filter_map(form.meaning).map(plain);
    meanings
        .filter(|meaning| meaning.chars().any(char::is_alphabetic))
        .take(MOST)
        .collect()
}

fn is_heading(line: &str, form: &Form) -> bool {
    let line: String = line.replace("== ", "==").replace(" ==", "==");
    line.starts_with('=') && line.contains(form.heading)
}

/// Of a heading; nought of any other line.
fn rank(line: &str) -> usize {
    line.chars().take_while(|letter| *letter == '=').count()
}

/// `# a building`, but neither an example nor a meaning within one.
fn hashed(line: &str) -> Option<&str> {
    line.strip_prefix('#')
        .filter(|line| !line.starts_with(['#', '*', ':']))
}

/// `:[1] ein Gebäude`
fn bracketed(line: &str) -> Option<&str> {
    let (number, meaning) = line.strip_prefix(":[")?.split_once(']')?;
    number
        .starts_with(|digit: char| digit.is_ascii_digit())
        .then_some(meaning)
}

/// `;1: edificio`, also with a template before the colon.
fn numbered(line: &str) -> Option<&str> {
    let line = line.strip_prefix(';')?;
    let meaning = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let (_, meaning) = (meaning.len() < line.len()).then(|| meaning.split_once(':'))??;
    Some(meaning)
}

/// A meaning without markup, as a sentence.
fn plain(text: &str) -> String {
    let text = without_notes(text).replace("'''", "").replace("''", "");
    let text = linked(&untemplated(&text));
    let text = prose::spoken(&text.replace("&nbsp;", " "));
    let text = text.trim_matches([' ', ',', ';', ':', '.', '-', '–']);
    let text = prose::cut(text, LONGEST);
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let sentence: String = first.chain(letters).collect();
    if sentence.is_empty() || sentence.ends_with(['…', '!', '?']) {
        sentence
    } else {
        sentence + "."
    }
}

/// Without references and comments.
fn without_notes(text: &str) -> String {
    let mut parts = text.split('<');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    let mut in_note = false;
    for part in parts {
        let (tag, after) = part.split_once('>').unwrap_or((part, ""));
        in_note = match tag {
            "/ref" => false,
            tag if tag.starts_with("ref") => !tag.ends_with('/'),
            _ => in_note,
        };
        if !in_note {
            plain.push_str(after);
        }
    }
    plain
}

/// With the words of the templates that hold some, the innermost first.
fn untemplated(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some((start, template, end)) = innermost(&text) {
        text = format!("{start}{}{end}", worded(&template));
    }
    text
}

fn innermost(text: &str) -> Option<(String, String, String)> {
    let (before, end) = text.split_once("}}")?;
    let (start, template) = before.rsplit_once("{{").unwrap_or((before, ""));
    Some((start.to_owned(), template.to_owned(), end.to_owned()))
}

/// The words of a template: of links their last part, of forms of a word what they are a form of.
fn worded(template: &str) -> String {
    let mut parts = template.split('|').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let mut parts = parts.filter(|part| !part.contains('='));
    match name {
        "l" | "m" | "link" | "mention" => parts.nth(1).unwrap_or_default().to_owned(),
        "w" | "gloss" | "non-gloss definition" | "n-g" | "ngd" | "lien" | "plm" | "Pn" => {
            parts.next().unwrap_or_default().to_owned()
        }
        form if form.ends_with(" of") => parts
            .nth(1)
            .map_or_else(String::new, |word| format!("{form} {word}")),
        _ => String::new(),
    }
}

/// With the words of links: `[[house|houses]]` is houses.
fn linked(text: &str) -> String {
    let mut parts = text.split("[[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let (link, after) = part.split_once("]]").unwrap_or((part, ""));
        let words = link.rsplit('|').next().unwrap_or_default();
        plain + words + after
    })
}

#[cfg(test)]
mod tests {
    use super::meanings;

    #[test]
    fn each_language_is_read_as_it_is_written() {
        for (lang, text, expected) in [
            (
                "en",
                "==French==\n# no\n==English==\n===Noun===\n{{en-noun}}\n\n# {{lb|en|botany}} A [[tree#Noun|tree]] of the \
                 {{l|en|rose}} ''family''.<ref name=\"x\">A book.</ref>\n#* 1999, an example\n#: {{ux|en|I ate one.}}\n\
                 # {{plural of|en|loqua}}\n# Third.\n==German==\n# other",
                &["A tree of the rose family.", "Plural of loqua."][..],
            ),
            (
                "de",
                "== Haus ({{Sprache|Deutsch}}) ==\n=== {{Wortart|Substantiv|Deutsch}}, {{n}} ===\n:[9] nein\n{{Bedeutungen}}\n\
                 :[1] {{K|Bau}} [[Gebäude]], in dem Menschen [[wohnen]]\n:[2] ''übertragen:'' [[Familie]]\n\n{{Synonyme}}",
                &["Gebäude, in dem Menschen wohnen.", "Übertragen: Familie."][..],
            ),
            (
                "fr",
                "== {{langue|fr}} ==\n=== {{S|nom|fr}} ===\n'''maison''' {{pron|mɛ.zɔ̃|fr}}\n# [[bâtiment|Bâtiment]] d’[[habitation]].\n#* exemple",
                &["Bâtiment d’habitation."][..],
            ),
            (
                "es",
                "== {{lengua|es}} ==\n=== Etimología ===\n==== Sustantivo ====\n;1 {{ámbito|Arquitectura}}: [[edificio|Edificio]] para vivir.\n;2: Familia.",
                &["Edificio para vivir.", "Familia."][..],
            ),
            (
                "it",
                "== {{-it-}} ==\n===Sostantivo===\n# {{Term|edilizia|it}} [[costruzione]] per abitare",
                &["Costruzione per abitare."][..],
            ),
            (
                "pt",
                "={{-pt-}}=\n==Substantivo==\n# {{escopo|pt|construção}} [[edifício]] de habitação",
                &["Edifício de habitação."][..],
            ),
            ("en", "==German==\n# A house.", &[][..]),
            ("nl", "==Nederlands==\n# Een huis.", &[][..]),
        ] {
            assert_eq!(meanings(text, lang), expected, "{lang}");
        }
    }

    #[test]
    fn broken_markup_ends() {
        for text in [
            "# {{{{{{ [[ <ref",
            "# }}}} ]] >",
            "# {{a|{{b}} c",
            "# <ref>never ended",
            "#",
        ] {
            let text = format!("==English==\n{text} x\n# fine");
            assert!(meanings(&text, "en").contains(&"Fine.".to_owned()), "{text}");
        }
    }
}

//! Where one sentence of an answer ends and the next begins, in the languages of our skills.
//!
//! Wrong only on the careful side: where it is not sure that a sentence has ended, two are spoken as one.

use loquat_wire::text::primary_subtag;

/// The longest that is spoken as one; what is longer is cut at a comma, a dash or a space, so that its first words are heard
/// soon and none is made for minutes.
const LONGEST: usize = 280;

/// A clause that is spoken on its own has this many bytes, and so has what is behind it: enough to be made while it is heard.
const CLAUSE: usize = 30;

/// Words that end in a full stop and end no sentence, in lower-case letters: of every language, and of single ones.
const ABBREVIATIONS: [(&str, &[&str]); 7] = [
    ("", &["dr", "prof", "st", "etc", "no", "nr", "vs", "max", "min"]),
    (
        "en",
        &[
            "mr", "mrs", "ms", "jr", "sr", "approx", "dept", "e.g", "i.e", "mt", "ave",
        ],
    ),
    (
        "de",
        &[
            "z.b", "d.h", "u.a", "bzw", "ca", "str", "usw", "evtl", "inkl", "fr", "hr", "bspw", "ggf", "z",
            "d", "u",
        ],
    ),
    ("fr", &["m", "mm", "mme", "mlle", "env", "p.ex", "av", "bd", "ex"]),
    (
        "es",
        &["sr", "sra", "srta", "ud", "uds", "p.ej", "avda", "aprox", "pág"],
    ),
    ("it", &["sig", "sig.ra", "dott", "ecc", "ca", "es", "pag", "avv"]),
    ("pt", &["sr", "sra", "srta", "av", "aprox", "p.ex", "pág", "exmo"]),
];

/// Languages that write "the 3rd" with a full stop.
const ORDINALS: [&str; 6] = ["de", "da", "nb", "no", "fi", "cs"];

/// Cuts a text into sentences, each without the space around it.
pub(super) fn sentences<'text>(text: &'text str, lang: &str) -> Vec<&'text str> {
    let primary = primary_subtag(lang);
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(end) = end_of_sentence(rest, &primary) {
        let (sentence, later) = rest.split_at(end);
        found.extend(pieces(sentence));
        rest = later;
    }
    found.extend(pieces(rest));
    found
}

/// Cuts the beginning of an answer into sentences, and off the first of them its first clause: what makes speech of a long
/// sentence takes its time, and is heard the sooner the less it is given.
pub(super) fn beginning_with_a_clause<'text>(text: &'text str, lang: &str) -> Vec<&'text str> {
    let mut found = sentences(text, lang);
    if let Some(first) = found.first_mut()
        && let Some((clause, rest)) = first_clause(first)
    {
        *first = clause;
        found.insert(1, rest);
    }
    found
}

/// Parts a sentence behind the first comma or the like that leaves enough before and behind it.
fn first_clause(sentence: &str) -> Option<(&str, &str)> {
    let ends = sentence.char_indices().filter_map(|(at, sign)| {
        let (clause, rest) = sentence.split_at_checked(at + sign.len_utf8())?;
        let ends = match sign {
            ',' | ';' | ':' | '–' | '—' => rest.starts_with(' '),
            '，' | '、' | '；' | '：' => true,
            _ => false,
        };
        ends.then(|| (clause, rest.trim_start()))
    });
    let mut ends = ends.filter(|(clause, rest)| clause.len() >= CLAUSE && rest.len() >= CLAUSE);
    ends.next()
}

/// Finds how many bytes of a text that goes on are whole sentences, whatever comes.
pub(super) fn whole(text: &str, lang: &str) -> usize {
    let primary = primary_subtag(lang);
    let mut whole = 0;
    while let Some(end) = end_of_sentence(text.get(whole..).unwrap_or_default(), &primary) {
        whole += end;
    }
    let last = text.get(whole..).unwrap_or_default();
    if is_sentence(last.trim_end(), &primary) {
        text.len()
    } else {
        whole
    }
}

fn is_sentence(text: &str, lang: &str) -> bool {
    let bare = text.trim_end_matches(|sign| closes(sign) && !ends(sign));
    match bare.strip_suffix('.') {
        Some(before) => !goes_on(before, lang),
        None => bare.ends_with(ends),
    }
}

/// Finds the place behind the first sentence that has another one behind it.
fn end_of_sentence(text: &str, lang: &str) -> Option<usize> {
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let mut end = at + sign.len_utf8();
        if sign == '\n' || matches!(sign, '。' | '！' | '？') {
            return Some(end);
        }
        if !ends(sign) {
            continue;
        }
        while let Some((at, sign)) = signs.next_if(|(_, sign)| closes(*sign)) {
            end = at + sign.len_utf8();
        }
        let later = text.get(end..).unwrap_or_default();
        let before = text.get(..at).unwrap_or_default();
        if begins_sentence(later) && !(sign == '.' && goes_on(before, lang)) {
            return Some(end);
        }
    }
    None
}

fn ends(sign: char) -> bool {
    matches!(sign, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

/// Tells of the signs that may stand between the last letter of a sentence and the space.
fn closes(sign: char) -> bool {
    matches!(
        sign,
        '.' | '!' | '?' | '…' | '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '“'
    )
}

fn begins_sentence(later: &str) -> bool {
    let begin = later.trim_start();
    begin.len() < later.len() && begin.chars().next().is_some_and(|sign| !sign.is_lowercase())
}

/// Tells whether a full stop behind this ends a word and no sentence.
fn goes_on(before: &str, lang: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let is_ordinal = ORDINALS.contains(&lang)
        && (1..=2).contains(&word.len())
        && word.bytes().all(|digit| digit.is_ascii_digit());
    let lower = word.to_lowercase();
    let is_abbreviated = ABBREVIATIONS
        .iter()
        .filter(|(of, _)| of.is_empty() || *of == lang)
        .any(|(_, words)| words.contains(&lower.as_str()));
    is_initial || is_ordinal || is_abbreviated
}

/// Cuts a sentence where it is too long; nothing is left of one without a letter or digit.
fn pieces(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = sentence.trim();
    while rest.len() > LONGEST {
        let (piece, later) = rest.split_at(cut(rest));
        found.push(piece.trim());
        rest = later.trim_start();
    }
    found.push(rest);
    found.retain(|piece| piece.chars().any(char::is_alphanumeric));
    found
}

/// Cuts a text to this many bytes, at a whole character.
pub(super) fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// Finds the best place to cut a sentence that is too long.
fn cut(sentence: &str) -> usize {
    let begin = beginning(sentence, LONGEST);
    let behind = |signs: &[char]| {
        let (at, sign) = begin
            .char_indices()
            .rev()
            .find(|(_, sign)| signs.contains(sign))?;
        Some(at + sign.len_utf8())
    };
    behind(&[';', ':', ',', '–', '—', '，'])
        .filter(|at| *at > LONGEST / 4)
        .or_else(|| behind(&[' ', '\t']))
        .unwrap_or(begin.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_go_on_is_no_whole_sentence() {
        for (lang, text, expected) in [
            ("en", "It rains. It is cold.", "It rains. It is cold."),
            ("en", "It rains. Ask Dr.", "It rains."),
            ("en", "Ask Dr.", ""),
            ("en", "He said \"stop!\"", "He said \"stop!\""),
            ("de", "Es regnet. Das ist am 3.", "Es regnet."),
            ("ja", "はい。そう。", "はい。そう。"),
            ("en", "It rains and", ""),
            ("en", "", ""),
        ] {
            assert_eq!(&text[..whole(text, lang)], expected, "{text}");
        }
    }

    #[test]
    fn the_first_clause_of_an_answer_stands_alone_where_it_is_long_enough() {
        let begin = |text| beginning_with_a_clause(text, "en");
        assert_eq!(
            begin(
                "Well, the sky is blue because of the air, which scatters short waves most. It is so, as I said, everywhere on Earth."
            ),
            [
                "Well, the sky is blue because of the air,",
                "which scatters short waves most.",
                "It is so, as I said, everywhere on Earth."
            ]
        );
        for whole in [
            "The kitchen lights are on.",
            "The lights in the kitchen and in the hall are on, too.",
            "It has 1,234,567,890 inhabitants in an area of 3,287,263 square kilometres.",
        ] {
            assert_eq!(begin(whole), [whole]);
        }
        let clauses = begin("空が青いのは空気が青い光を散らすからで、夕方には赤い光だけが残ります。");
        assert_eq!(
            clauses,
            [
                "空が青いのは空気が青い光を散らすからで、",
                "夕方には赤い光だけが残ります。"
            ]
        );
        assert_eq!(begin(""), [""; 0]);
    }

    #[test]
    fn sentences_end_where_a_person_would_pause() {
        for (lang, text, expected) in [
            (
                "en-US",
                "It is 5 p.m. in Tokyo. Mr. Brown has 3.5 kg. \"Really?\" Yes! J. R. Smith left…",
                &[
                    "It is 5 p.m. in Tokyo.",
                    "Mr. Brown has 3.5 kg.",
                    "\"Really?\"",
                    "Yes!",
                    "J. R. Smith left…",
                ][..],
            ),
            (
                "de-DE",
                "Am 3. Mai regnet es, z. B. in Köln. Nimm bzw. Deinen Schirm mit! Dr. Maier ruft an.",
                &[
                    "Am 3. Mai regnet es, z. B. in Köln.",
                    "Nimm bzw. Deinen Schirm mit!",
                    "Dr. Maier ruft an.",
                ],
            ),
            (
                "fr-FR",
                "M. Dupont arrive à 8 h. Vous êtes prêt ? Écoutez « Carmen ». Merci.",
                &[
                    "M. Dupont arrive à 8 h.",
                    "Vous êtes prêt ?",
                    "Écoutez « Carmen ».",
                    "Merci.",
                ],
            ),
            (
                "es-ES",
                "¡Hola! ¿Qué tal, Sr. López? Son las 3. ¡Adiós!",
                &["¡Hola!", "¿Qué tal, Sr. López?", "Son las 3.", "¡Adiós!"],
            ),
            (
                "it-IT",
                "Il sig. Rossi è qui. Sono le 3. Altro?",
                &["Il sig. Rossi è qui.", "Sono le 3.", "Altro?"],
            ),
            (
                "pt-BR",
                "O Sr. Silva chegou. São 3 h. Até já!",
                &["O Sr. Silva chegou.", "São 3 h.", "Até já!"],
            ),
        ] {
            assert_eq!(sentences(text, lang), expected, "{lang}");
        }
    }

    #[test]
    fn lines_are_sentences_and_what_has_no_word_is_none() {
        assert_eq!(sentences("Milk\nEggs\n\n – \n...", "en"), ["Milk", "Eggs"]);
        assert_eq!(
            sentences("今日は晴れ。明日は雨。", "ja"),
            ["今日は晴れ。", "明日は雨。"]
        );
        assert_eq!(sentences("", "en"), [""; 0]);
    }

    #[test]
    fn what_is_too_long_is_cut_and_nothing_is_lost() {
        let long = ["with a word, "; 60].concat();
        let text = format!("{long}{}", "x".repeat(700));
        let cut = sentences(&text, "en");
        assert!(cut.iter().all(|piece| piece.len() <= LONGEST), "{cut:?}");
        assert!(cut[0].ends_with(','), "{}", cut[0]);
        let letters = |text: &str| text.replace(' ', "");
        assert_eq!(letters(&cut.concat()), letters(&text));
        assert!(
            sentences(&"ß".repeat(1_000), "de")
                .iter()
                .all(|piece| piece.len() <= LONGEST)
        );
    }
}

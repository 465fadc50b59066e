//! Utterances as words, so that case and punctuation decide nothing. Never changes what is shown to a person.

/// Words of an utterance that are compared; a person says fewer, and a text that is longer is no command.
pub(crate) const LONGEST: usize = 200;

/// One word of an utterance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// In lower case, without punctuation; what is compared.
    pub plain: String,
    /// As it was said, without punctuation around it but for a comma that separates it from the next; what a slot holds.
    pub said: String,
}

/// The words of a text. Words that are only punctuation are none.
pub fn words(text: &str) -> Vec<Word> {
    text.split(|letter: char| letter.is_whitespace() || ",;:!?\"«»„“”¿¡()".contains(letter))
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .take(LONGEST)
        .map(|word| Word {
            plain: word.to_lowercase().replace('’', "'"),
            said: word.to_owned(),
        })
        .collect()
}

/// The words of a text with the marks that belong to figures: `2,450`, `17%`, `5 + 3`, `-4`, `3. Mai`, and with the commas that
/// separate what is listed. Words that are only punctuation are none.
pub fn words_and_figures(text: &str) -> Vec<Word> {
    let bare = |(said, next): (&str, Option<&str>)| {
        let mark = match next {
            _ if said.ends_with(',') => ",",
            Some(next) if is_day_of_month(said, next) => ".",
            _ => "",
        };
        let word = said.trim_matches(MARKS);
        (!word.is_empty()).then(|| Word {
            plain: plain(word),
            said: format!("{word}{mark}"),
        })
    };
    let next = text.split_whitespace().skip(1).map(Some).chain([None]);
    let words = text.split_whitespace().zip(next).filter_map(bare);
    words.take(LONGEST).collect()
}

/// What stands around a word and is no part of it.
const MARKS: [char; 15] = [
    ',', ';', ':', '!', '?', '"', '«', '»', '„', '“', '”', '¿', '¡', '.', '…',
];

/// The months of the language that writes a dot behind the number of a day.
const MONTHS: &[&str] = &[
    "januar",
    "jänner",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
];

/// Whether this is the number of a day with its dot, in front of a month.
fn is_day_of_month(said: &str, next: &str) -> bool {
    let day = said.strip_suffix('.').and_then(|day| day.parse::<u8>().ok());
    let month = next
        .trim_matches(|letter: char| !letter.is_alphanumeric())
        .to_lowercase();
    day.is_some_and(|day| (1..=31).contains(&day)) && MONTHS.contains(&month.as_str())
}

/// Words of French, Italian and Catalan that lose their last letter before a vowel: `d'Ada`, `dell'Australia`.
const ELIDED: &[&str] = &[
    "d", "l", "un", "all", "dall", "dell", "nell", "sull", "coll", "quell",
];

/// English words that take a verb along, and what of it is left: `when's`, `where're`. Those after which people say the verb apart
/// as often have sentences of their own.
const JOINED: &[&str] = &["when", "where", "who", "how", "why", "there", "here"];
const VERBS: &[(&str, &str)] = &[("s", "is"), ("re", "are"), ("ll", "will")];

/// The words with each that was shortened before a vowel, or took a verb along, as words of their own; nothing where there is none. A gap may begin
/// behind it.
pub fn without_elisions(words: &[Word]) -> Option<Vec<Word>> {
    let apart: Vec<Word> = words.iter().flat_map(apart).take(LONGEST).collect();
    (apart.len() > words.len()).then_some(apart)
}

fn apart(word: &Word) -> Vec<Word> {
    let halves = word.said.find(['\'', '’']).and_then(|place| {
        let mark = word.said.get(place..)?.chars().next()?;
        let (short, rest) = word.said.split_at_checked(place + mark.len_utf8())?;
        (is_elided(short) && rest.starts_with(char::is_alphanumeric)).then_some((short, rest))
    });
    let Some((short, rest)) = halves.or_else(|| joined_verb(word)) else {
        return vec![word.clone()];
    };
    [short, rest]
        .map(|said| Word {
            plain: plain(said),
            said: said.to_owned(),
        })
        .to_vec()
}

/// The word and its verb, where it is one of the English that take one along.
fn joined_verb(word: &Word) -> Option<(&str, &'static str)> {
    let (short, rest) = word.said.split_once(['\'', '’'])?;
    let is_joined = JOINED.contains(&short.to_lowercase().as_str());
    let (_, verb) = VERBS
        .iter()
        .find(|(left, _)| is_joined && *left == rest.to_lowercase())?;
    Some((short, verb))
}

/// Whether a word, with its apostrophe, is one that the next is joined to.
pub(crate) fn is_elided(said: &str) -> bool {
    let short = said.strip_suffix(['\'', '’']);
    short.is_some_and(|short| ELIDED.contains(&short.to_lowercase().as_str()))
}

/// The words as one text that two spellings of the same share.
pub fn plain(text: &str) -> String {
    let plain: Vec<String> = words(text).into_iter().map(|word| word.plain).collect();
    plain.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_their_marks() {
        let said = |text: &str| -> Vec<String> {
            let words = words_and_figures(text).into_iter();
            words.map(|word| word.said).collect()
        };
        assert_eq!(
            said("What is 17% of 2,450?"),
            ["What", "is", "17%", "of", "2,450"]
        );
        assert_eq!(said("¿Cuánto es 5 + 3,5?"), ["Cuánto", "es", "5", "+", "3,5"]);
        assert_eq!(said("It is -4.5 °C …"), ["It", "is", "-4.5", "°C"]);
        assert_eq!(
            said("Am 3. Mai, am 28. Februar."),
            ["Am", "3.", "Mai,", "am", "28.", "Februar"]
        );
        assert_eq!(
            said("Es sind 3. Mais ist da, 45. April."),
            ["Es", "sind", "3", "Mais", "ist", "da,", "45", "April"]
        );
    }

    #[test]
    fn commas_between_words_are_kept() {
        let words = words_and_figures("Add milk, , eggs, and bread!");
        let said: Vec<&str> = words.iter().map(|word| word.said.as_str()).collect();
        assert_eq!(said, ["Add", "milk,", "eggs,", "and", "bread"]);
        let plain: Vec<&str> = words.iter().map(|word| word.plain.as_str()).collect();
        assert_eq!(plain, ["add", "milk", "eggs", "and", "bread"]);
    }

    #[test]
    fn elided_words_are_taken_apart_where_there_are_any() {
        let apart = |text: &str| {
            let words = without_elisions(&words_and_figures(text))?;
            let pairs = words
                .into_iter()
                .map(|word| format!("{}={}", word.plain, word.said));
            Some(pairs.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(
            apart("Dell’Australia, d'Ada!").as_deref(),
            Some("dell=Dell’ australia=Australia, d=d' ada=Ada")
        );
        assert_eq!(apart("what's the boys' room aujourd'hui l'"), None);
        assert_eq!(apart("When's it").as_deref(), Some("when=When is=is it=it"));
    }

    #[test]
    fn case_and_punctuation_do_not_count() {
        assert_eq!(plain("  Hör auf, bitte! "), "hör auf bitte");
        assert_eq!(plain("¿Quién   está ahí?"), "quién está ahí");
        assert_eq!(plain("l’ora — d'oro"), "l'ora d'oro");
        assert_eq!(words("Talk to Dr. Watson.").last().unwrap().said, "Watson");
    }
}

//! The few words by which people go on with what they said before: "and in London?", "no, the blue one", "again". Each language
//! has a table of them.
//!
//! Knows nothing of what was said before, and decides nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use loquat_sentences::words::{Word, words_and_figures};
use loquat_sentences::{Complaint, Fit, Fitting, Language, Source, Utterance};
use serde::Deserialize;

/// Steps that comparing one text with a table may take.
const MOST_STEPS: u32 = 20_000;

/// The gap for what takes the place of something.
const REST: &str = "rest";

/// The gap for what is not meant.
const OLD: &str = "old";

/// The gap for a number by which another becomes more or less.
const STEP: &str = "step";

/// The ways to say that a number becomes more and less.
const MORE_BY: &str = "more_by";
const LESS_BY: &str = "less_by";
const STEPS: [&str; 2] = [MORE_BY, LESS_BY];

/// The ways to ask for more and for less of what was done last, without a number.
const FURTHER: &str = "further";
const LESSER: &str = "lesser";
const TURNS: [&str; 2] = [FURTHER, LESSER];

/// What asks for a person's own words.
const RECITES: &str = "recites";

/// What asks for an answer once more.
const RETELLS: &str = "retells";

/// A pattern with a gap that ends so wants that it was filled, and holds nothing of it.
const NEEDED: char = '?';

/// Patterns about what is on a list have one of these.
const LISTS: [&str; 2] = ["{list", "{called"];

/// Patterns about what is to be remembered have this.
const FACTS: &str = "{fact";

/// The words of one language.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Following {
    sentences: Language,
    joiners: Vec<Vec<String>>,
    stand_ins: Vec<Vec<String>>,
    singles: Vec<Vec<String>>,
    idle: Vec<String>,
    parts_of_hour: Vec<String>,
    needs: Vec<Vec<String>>,
    before_hours: Vec<String>,
    fractions: Vec<String>,
    years: Vec<(Vec<String>, i16)>,
    days_beside: Vec<(Vec<String>, String)>,
    recalls: Vec<Recall>,
    completes: Vec<Pattern>,
    rewords: Vec<Pattern>,
    no_facts: Vec<Vec<String>>,
    fillers: Vec<Vec<String>>,
    heres: Vec<Vec<String>>,
    boths: Vec<Vec<String>>,
    alls: Vec<Vec<String>>,
    pronouns: Vec<String>,
    ending_pronouns: BTreeMap<String, String>,
    sums: Vec<Vec<String>>,
    capital_names: bool,
}

/// Words that stand for what a gap of the sentence before held.
#[derive(Debug)]
struct Recall {
    words: Vec<String>,
    slot: String,
    /// What stands in front of it and behind it in their place.
    around: (String, String),
}

/// A sentence of what was said and of what gaps of the sentence before held.
#[derive(Debug)]
struct Pattern(String);

/// How many of what was spoken of are meant together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Several {
    /// Two.
    Both,
    /// All of them.
    All,
}

/// The words as they are written. Those with a gap are templates.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// They ask for one more of the same: `and {rest}`.
    more: Vec<String>,
    /// They ask for one more that is in all else as the one before: `the same for {rest}`.
    same: Vec<String>,
    /// They put the same question again: `what about {rest}`.
    asks: Vec<String>,
    /// Something else was meant: `no {rest}`.
    corrects: Vec<String>,
    /// Something else is enough, or will do as well: `{rest} will do`.
    settles: Vec<String>,
    /// So clearly that any words may be what was meant: `no I meant {rest}`.
    insists: Vec<String>,
    /// And this was not: `not {old} but {rest}`.
    contrasts: Vec<String>,
    /// What asks for the same once more.
    again: Vec<String>,
    /// What asks for an answer once more, and for no deed.
    retells: Vec<String>,
    /// What joins words to a sentence and is no part of what they name, with articles.
    joiners: Vec<String>,
    /// What stands for the thing of before: `one`.
    stand_ins: Vec<String>,
    /// A text that begins so is about one thing, whatever number the sentence before had: `a`.
    singles: Vec<String>,
    /// Words that name nothing.
    idle: Vec<String>,
    /// These times lack their hour, and have a gap for it: `half past {hour}`.
    parts_of_hour: Vec<String>,
    /// They stand between a thing and how long it takes: `needs`.
    needs: Vec<String>,
    /// They make an hour of the number behind them: `at`.
    before_hours: Vec<String>,
    /// Parts of a unit: `half`.
    fractions: Vec<String>,
    /// Years, by how many they are away: `next year`.
    years: BTreeMap<String, i16>,
    /// Days beside the one that was spoken of, each with how it is told of that `{day}`: `the day after`.
    days_beside: BTreeMap<String, String>,
    /// These words stand for what a gap of the sentence before held: `in {place}` is `there`. The key is a pattern with the gap,
    /// or with several, of which one counts: `{date|when}`.
    recalls: BTreeMap<String, Vec<String>>,
    /// A sentence lacks what the one before named: `{rest} from the {list}`. A gap with a question mark has to be filled.
    completes: Vec<String>,
    /// A pattern stands for these templates: `remove {rest} from the {list}` for `not {rest}`.
    rewords: BTreeMap<String, Vec<String>>,
    /// What begins with these is no fact that is remembered beside another: "and that is all".
    no_facts: Vec<String>,
    /// These words say nothing beside a sentence: `now`.
    fillers: Vec<String>,
    /// These stand for the place where the device is.
    heres: Vec<String>,
    /// These mean the two that were spoken of last, and these all of them.
    boths: Vec<String>,
    alls: Vec<String>,
    /// A sentence about one thing has one of these in their place.
    pronouns: Vec<String>,
    /// Pronouns for several that end a verb, and those for one of them: `cancellali`, `cancellalo`.
    #[serde(default)]
    ending_pronouns: BTreeMap<String, String>,
    /// A number becomes more or less by so much: `{step} more`.
    more_by: Vec<String>,
    less_by: Vec<String>,
    /// More of what was done last is wanted, or less: `a bit more`.
    further: Vec<String>,
    lesser: Vec<String>,
    /// These ask what the person has said.
    recites: Vec<String>,
    /// These stand for what a sum came to.
    sums: Vec<String>,
    /// Whether a capital within a sentence tells a name from other words.
    capital_names: bool,
}

/// How a text goes on with what was said before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// It asks for one more of the same.
    More,
    /// It asks for one more that is in all else as the one before.
    Same,
    /// It asks a question of before, about something else.
    Asks,
    /// Something else was meant.
    Corrects,
    /// Something else is enough, or will do as well.
    Settles,
    /// Something else was meant, in so many words.
    Insists,
    /// Something else was meant, and what was not.
    Contrasts,
    /// Once more what was before.
    Again,
    /// Once more what was answered.
    Retells,
    /// Words alone.
    Bare,
}

/// A text that goes on with what was said before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoesOn {
    /// It goes on in this way.
    pub how: Move,
    /// The words that bring something.
    pub rest: String,
    /// The words for what was not meant.
    pub old: Option<String>,
}

impl TryFrom<Written> for Following {
    type Error = Box<Complaint>;

    fn try_from(written: Written) -> Result<Self, Box<Complaint>> {
        let lists = [
            ("more", written.more),
            ("same", written.same),
            ("asks", written.asks),
            ("corrects", written.corrects),
            ("settles", written.settles),
            ("insists", written.insists),
            ("contrasts", written.contrasts),
            ("again", written.again),
            (RETELLS, written.retells),
            (MORE_BY, written.more_by),
            (LESS_BY, written.less_by),
            (FURTHER, written.further),
            (LESSER, written.lesser),
            (RECITES, written.recites),
        ];
        let rewords = written.rewords.iter();
        let rewords = rewords.map(|(pattern, words)| (pattern.as_str(), words.clone()));
        let source = Source::of_words(lists.into_iter().chain(rewords));
        let years = written.years.iter().map(|(words, away)| (plain(words), *away));
        let days_beside = written.days_beside.iter();
        let days_beside = days_beside.map(|(words, told)| (plain(words), told.clone()));
        let apart = |lists: Vec<String>| -> Vec<Vec<String>> {
            let mut apart: Vec<Vec<String>> = lists.iter().map(|words| plain(words)).collect();
            apart.sort_by_key(|words| std::cmp::Reverse(words.len()));
            apart
        };
        Ok(Self {
            sentences: Language::whole(&source)?,
            joiners: apart(written.joiners),
            stand_ins: apart(written.stand_ins),
            singles: apart(written.singles),
            idle: written.idle,
            parts_of_hour: written.parts_of_hour,
            needs: apart(written.needs),
            before_hours: written.before_hours,
            fractions: written.fractions,
            years: years.collect(),
            days_beside: days_beside.collect(),
            recalls: written.recalls.iter().flat_map(recalls).collect(),
            completes: written.completes.into_iter().map(Pattern).collect(),
            rewords: written.rewords.into_keys().map(Pattern).collect(),
            no_facts: apart(written.no_facts),
            fillers: apart(written.fillers),
            heres: apart(written.heres),
            boths: apart(written.boths),
            alls: apart(written.alls),
            pronouns: written.pronouns,
            ending_pronouns: written.ending_pronouns,
            sums: apart(written.sums),
            capital_names: written.capital_names,
        })
    }
}

impl Move {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "more" => Self::More,
            "same" => Self::Same,
            "asks" => Self::Asks,
            "corrects" => Self::Corrects,
            "settles" => Self::Settles,
            "insists" => Self::Insists,
            "contrasts" => Self::Contrasts,
            "again" => Self::Again,
            RETELLS => Self::Retells,
            _ => return None,
        })
    }

    /// Whether it asks for one more of what was made before.
    pub fn makes_more(self) -> bool {
        matches!(self, Self::More | Self::Same)
    }

    /// Whether it says that something else was meant than was said.
    pub fn insists(self) -> bool {
        matches!(self, Self::Corrects | Self::Insists | Self::Contrasts)
    }

    /// Whether it takes what was done before back.
    pub fn takes_back(self) -> bool {
        matches!(
            self,
            Self::Corrects | Self::Settles | Self::Insists | Self::Contrasts | Self::Bare
        )
    }
}

impl Following {
    /// Every way in which these words may go on with what was said before, the one with most words of the table first.
    pub fn read(&self, said: &[Word]) -> Vec<GoesOn> {
        let mut fits = self.fits(said, &|list| Move::named(list).is_some());
        fits.sort_by(|one, other| other.score.total_cmp(&one.score));
        let mut ways: Vec<GoesOn> = Vec::new();
        for fit in fits {
            let way = Move::named(fit.intent).map(|how| GoesOn {
                how,
                rest: slot(&fit, REST).unwrap_or_default(),
                old: slot(&fit, OLD),
            });
            ways.extend(way.filter(|way| !ways.contains(way)));
        }
        ways
    }

    /// The words without those in front that join them or stand for the thing of before, shortest first taken away: every rest of
    /// them that is not empty, the longest first.
    pub fn cores<'a>(&self, said: &'a [Word]) -> Vec<&'a [Word]> {
        let mut cores = Vec::new();
        let mut rest = said;
        while !rest.is_empty() {
            cores.push(rest);
            let lists = self.joiners.iter().chain(&self.stand_ins);
            let Some(length) = lists.filter_map(|words| leading(rest, words)).max() else {
                break;
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        cores
    }

    /// Whether all of these words join others or stand for the thing of before.
    pub fn brings_nothing(&self, said: &[Word]) -> bool {
        let is_it = |word: &Word| {
            let mut lists = self.joiners.iter().chain(&self.stand_ins);
            lists.any(|words| words.len() == 1 && words.first() == Some(&word.plain))
        };
        said.iter().all(is_it)
    }

    /// Whether any of these words names nothing.
    fn holds_idle(&self, text: &str) -> bool {
        words_and_figures(text).iter().any(|word| self.is_idle(word))
    }

    /// Whether all of these words name nothing.
    pub fn are_idle(&self, said: &[Word]) -> bool {
        said.iter().all(|word| self.is_idle(word))
    }

    /// Whether these words are one that stands for the thing of before.
    pub fn stands_in(&self, said: &[Word]) -> bool {
        let mut lists = self.stand_ins.iter();
        lists.any(|words| said.len() == words.len() && leading(said, words).is_some())
    }

    /// Whether a text says that it is about one thing, in front of what it names.
    pub fn is_single(&self, said: &[Word]) -> bool {
        let begins = |said: &[Word]| {
            let mut lists = self.singles.iter();
            lists.any(|words| leading(said, words).is_some())
        };
        let ways = self.read(said).into_iter().filter(|way| way.how.makes_more());
        let mut rests = ways.map(|way| words_and_figures(&way.rest));
        begins(said) || rests.any(|rest| begins(&rest))
    }

    /// Whether these words are none but such as mean two or all of what was spoken of.
    pub fn means_several(&self, said: &[Word]) -> bool {
        let mut lists = self.boths.iter().chain(&self.alls);
        lists.any(|words| said.len() == words.len() && leading(said, words).is_some())
    }

    /// Whether a word joins others or stands for the thing of before.
    pub fn joins(&self, word: &Word) -> bool {
        self.brings_nothing(std::slice::from_ref(word))
    }

    /// Whether a word names nothing, so that it is no thing that anybody wants.
    pub fn is_idle(&self, word: &Word) -> bool {
        self.idle.contains(&word.plain)
    }

    /// The text with what the gaps of the sentence before held in the place of words that stand for it: each text that comes
    /// of one such word. Those that are all that was said stand for nothing.
    pub fn recalled(&self, said: &[Word], slots: &[(String, String)]) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for recall in &self.recalls {
            let held = slots.iter().find(|(slot, _)| *slot == recall.slot);
            let place = place_of(said, &recall.words).filter(|_| said.len() > recall.words.len());
            if let (Some((_, held)), Some(at)) = (held, place) {
                let (front, behind) = &recall.around;
                let held = format!("{front}{held}{behind}");
                let text = with(said, at, recall.words.len(), &held);
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        texts
    }

    /// The text with a number in the place of words that stand for what a sum came to, or in front of it where none does.
    pub fn with_sum(&self, said: &[Word], number: &str) -> String {
        let mut known = self.sums.iter();
        let found = known.find_map(|words| Some((place_of(said, words)?, words.len())));
        let (at, count) = found.unwrap_or_default();
        with(said, at, count, number)
    }

    /// Sentences that these words are together with what gaps of the sentence before held, where they lack that, the likeliest
    /// first.
    pub fn completed(&self, said: &[Word], slots: &[(String, String)]) -> Vec<String> {
        let said = text(said);
        let completed = self.completes.iter();
        completed
            .filter_map(|pattern| pattern.filled(&said, slots))
            .collect()
    }

    /// Sentences that these words stand for behind one with these gaps, the one with most words of the table first.
    pub fn reworded(&self, said: &[Word], slots: &[(String, String)]) -> Vec<String> {
        let find = |list: &str| self.rewords.iter().find(|pattern| pattern.0 == list);
        let mut fits = self.fits(said, &|list| find(list).is_some());
        fits.sort_by(|one, other| other.score.total_cmp(&one.score));
        let texts = fits.iter().filter_map(|fit| {
            let rest = slot(fit, REST).unwrap_or_default();
            let pattern = find(fit.intent).filter(|pattern| self.may_be_about(pattern, &rest))?;
            pattern.filled(&rest, slots)
        });
        texts.collect()
    }

    /// Whether words may be what a pattern is about: what stands on a list has a name, and a fact is no wish and no question.
    fn may_be_about(&self, pattern: &Pattern, text: &str) -> bool {
        let is_of_list = LISTS.iter().any(|gap| pattern.0.contains(gap));
        let is_no_fact = || {
            let said = words_and_figures(text);
            self.no_facts.iter().any(|words| leading(&said, words).is_some())
        };
        let is_unnamed = is_of_list && self.holds_idle(text);
        !(is_unnamed || pattern.0.starts_with(FACTS) && is_no_fact())
    }

    /// By how much a number becomes more, or less where that is false; nothing where the text does not say so.
    pub fn step(&self, said: &[Word]) -> Option<(String, bool)> {
        let fits = self.fits(said, &|list| STEPS.contains(&list));
        // Of all words that could stand in front of the unit the number has the fewest: "it up by two" is none.
        let fit = Fit::best(fits, |_| false)?;
        Some((slot(&fit, STEP)?, fit.intent == MORE_BY))
    }

    /// Whether more of what was done last is wanted, or less where that is false; nothing where the text does not say so.
    pub fn turn(&self, said: &[Word]) -> Option<bool> {
        let fits = self.fits(said, &|list| TURNS.contains(&list));
        let fit = fits
            .iter()
            .max_by(|one, other| one.score.total_cmp(&other.score))?;
        Some(fit.intent == FURTHER)
    }

    /// Whether a text asks for the answer once more.
    pub fn retells(&self, said: &[Word]) -> bool {
        !self.fits(said, &|list| list == RETELLS).is_empty()
    }

    /// Whether a text asks what the person has said.
    pub fn recites(&self, said: &[Word]) -> bool {
        !self.fits(said, &|list| list == RECITES).is_empty()
    }

    /// How many words of those in front of a length say that something takes so long: `needs`.
    pub fn needed_in(&self, front: &[Word]) -> usize {
        let ends = |words: &&Vec<String>| {
            let start = front.len().checked_sub(words.len());
            let last = start.and_then(|start| front.get(start..));
            last.is_some_and(|last| leading(last, words).is_some())
        };
        self.needs.iter().find(ends).map_or(0, Vec::len)
    }

    /// Whether a word makes an hour of the number behind it: `at`.
    pub fn makes_hour(&self, word: &Word) -> bool {
        self.before_hours.contains(&word.plain)
    }

    /// Whether a word is a part of a unit, in which nothing is counted: `half`.
    pub fn is_fraction(&self, word: &Word) -> bool {
        self.fractions.contains(&word.plain)
    }

    /// By how many years the one is away that these words are: `next year`.
    pub fn year(&self, said: &[Word]) -> Option<i16> {
        let is_it = |words: &Vec<String>| said.len() == words.len() && leading(said, words).is_some();
        let (_, away) = self.years.iter().find(|(words, _)| is_it(words))?;
        Some(*away)
    }

    /// How the day is told that these words mean beside that `{day}`.
    pub fn day_beside(&self, said: &[Word]) -> Option<&str> {
        let is_it = |words: &Vec<String>| said.len() == words.len() && leading(said, words).is_some();
        let (_, told) = self.days_beside.iter().find(|(words, _)| is_it(words))?;
        Some(told)
    }

    /// The words without those that say nothing beside a sentence.
    pub fn without_fillers(&self, said: &[Word]) -> Vec<Word> {
        let mut rest = said.to_vec();
        for words in &self.fillers {
            while let Some(at) = place_of(&rest, words) {
                rest.drain(at..at + words.len());
            }
        }
        rest
    }

    /// The words behind those in front that say nothing; nothing where none does, or no other is left.
    pub fn behind_fillers<'a>(&self, said: &'a [Word]) -> Option<&'a [Word]> {
        let mut rest = said;
        while let Some(length) = self.fillers.iter().find_map(|words| leading(rest, words)) {
            rest = rest.get(length..)?;
        }
        (!rest.is_empty() && rest.len() < said.len()).then_some(rest)
    }

    /// Whether these words stand for the place where the device is.
    pub fn is_here(&self, said: &[Word]) -> bool {
        let is_it = |words: &&Vec<String>| said.len() == words.len() && leading(said, words).is_some();
        self.heres.iter().any(|words| is_it(&words))
    }

    /// Which of several things a sentence is about, and that sentence as it would be about one of them, in each way to say it.
    /// What they are called behind that says no more, and neither does a pronoun for them that is one word with the verb.
    pub fn of_several(&self, said: &[Word], nouns: &[String]) -> Option<(Several, Vec<String>)> {
        let found = |lists: &[Vec<String>]| {
            lists
                .iter()
                .find_map(|words| Some((place_of(said, words)?, words.len())))
        };
        let (several, (at, count)) = match found(&self.boths) {
            Some(place) => (Several::Both, place),
            None => (Several::All, found(&self.alls)?),
        };
        let count = count + self.named_behind(said.get(at + count..).unwrap_or_default(), nouns);
        let mut texts = self.about_one(said, at..at + count);
        texts.extend(self.of_one(&with(said, at, count, "")));
        Some((several, texts))
    }

    /// A sentence as it would be about one thing, in each way to say it: with a pronoun in the place of these words, at the end of
    /// the verb, or without any.
    pub fn about_one(&self, said: &[Word], words: Range<usize>) -> Vec<String> {
        let pronouns = self.pronouns.iter().map(String::as_str).chain([""]);
        let texts = pronouns.map(|pronoun| {
            let text = with(said, words.start, words.len(), pronoun);
            text.trim().replace("  ", " ")
        });
        let bare = with(said, words.start, words.len(), "");
        let (verb, rest) = bare.trim().split_once(' ').unwrap_or((bare.trim(), ""));
        let ends = self.ending_pronouns.values();
        let ended = ends.map(|end| format!("{verb}{end} {}", rest.trim()).trim().to_owned());
        texts.chain(ended).filter(|text| !text.is_empty()).collect()
    }

    /// How many words a text begins with that are one of these nouns and what joins it.
    fn named_behind(&self, said: &[Word], nouns: &[String]) -> usize {
        let joined = said.iter().take_while(|word| self.joins(word)).count();
        let rest = said.get(joined..).unwrap_or_default();
        let named = nouns.iter().filter_map(|noun| leading(rest, &plain(noun))).max();
        named.map_or(0, |named| joined + named)
    }

    /// The order with a pronoun for one thing in the place of that for several, where it is one word with the verb: `cancellali`.
    fn of_one(&self, text: &str) -> Option<String> {
        let (verb, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let mut endings = self.ending_pronouns.iter();
        let single = endings
            .find_map(|(several, one)| Some(format!("{}{one}", verb.strip_suffix(several.as_str())?)))?;
        Some(format!("{single} {rest}").trim().to_owned())
    }

    /// Whether an order ends in a word for the thing of before: `restart it`.
    pub fn ends_in_pronoun(&self, said: &[Word]) -> bool {
        let last = said.last().filter(|_| said.len() > 1);
        last.is_some_and(|last| self.pronouns.contains(&last.plain))
    }

    /// How these words fit those of the lists that are meant.
    fn fits(&self, said: &[Word], is_meant: &dyn Fn(&str) -> bool) -> Vec<Fit<'_>> {
        let asked = Fitting {
            is_meant,
            takes: None,
        };
        let mut steps = MOST_STEPS;
        self.sentences.fits(&Utterance::new(said), asked, &mut steps)
    }

    /// Whether a capital tells a name from other words.
    pub fn has_capital_names(&self) -> bool {
        self.capital_names
    }

    /// The time of day that these words are together with the hour of an earlier one; nothing for all other words.
    pub fn with_hour(&self, said: &[Word], hour: &str) -> Option<String> {
        let of_part = |pattern: &&String| {
            let part = pattern.replace("{hour}", "");
            let words: Vec<&str> = said.iter().map(|word| word.plain.as_str()).collect();
            plain(&part) == words
        };
        let pattern = self.parts_of_hour.iter().find(of_part)?;
        Some(pattern.replace("{hour}", hour))
    }
}

impl Pattern {
    /// The sentence; nothing where a gap was not filled. Its gaps are looked for once: what fills one may have braces of its own,
    /// which are words like any others.
    fn filled(&self, said: &str, slots: &[(String, String)]) -> Option<String> {
        let mut text = String::new();
        let mut rest = self.0.as_str();
        while let Some((front, gap)) = rest.split_once('{') {
            let (names, behind) = gap.split_once('}')?;
            text.push_str(front);
            text.push_str(held(names, said, slots)?);
            rest = behind;
        }
        text.push_str(rest);
        Some(text.trim().to_owned())
    }
}

/// What stands in a gap with these names: what was said, or what the first of them held.
fn held<'a>(names: &str, said: &'a str, slots: &'a [(String, String)]) -> Option<&'a str> {
    if names == REST {
        return Some(said);
    }
    let mut known = names.trim_end_matches(NEEDED).split('|');
    let (_, held) = known.find_map(|name| slots.iter().find(|(slot, _)| slot == name))?;
    Some(if names.ends_with(NEEDED) { "" } else { held })
}

/// What fills a gap.
fn slot(fit: &Fit<'_>, wanted: &str) -> Option<String> {
    let found = fit.slots.iter().find(|(name, _)| name == wanted);
    found.map(|(_, said)| said.clone())
}

fn text(said: &[Word]) -> String {
    let words: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
    words.join(" ")
}

/// What the words of one pattern stand for, once for each gap that it names; nothing where it names none.
fn recalls((pattern, words): (&String, &Vec<String>)) -> Vec<Recall> {
    let gap = pattern.split_once('{');
    let parts = gap.and_then(|(front, rest)| Some((front, rest.split_once('}')?)));
    let Some((front, (slots, behind))) = parts else {
        return Vec::new();
    };
    let all = slots
        .split('|')
        .flat_map(|slot| words.iter().map(move |words| (slot, words)));
    all.map(|(slot, words)| Recall {
        words: plain(words),
        slot: slot.to_owned(),
        around: (front.to_owned(), behind.to_owned()),
    })
    .collect()
}

/// Where words stand in a text, first.
fn place_of(said: &[Word], words: &[String]) -> Option<usize> {
    (0..said.len()).find(|at| said.get(*at..).is_some_and(|rest| leading(rest, words).is_some()))
}

/// A text with others in the place of so many of its words.
fn with(said: &[Word], at: usize, count: usize, new: &str) -> String {
    let front = said.iter().take(at).map(|word| word.said.as_str());
    let behind = said.iter().skip(at + count).map(|word| word.said.as_str());
    let text: Vec<&str> = front.chain([new]).chain(behind).collect();
    text.join(" ")
}

/// The words of a text, as they are compared.
pub(crate) fn plain(text: &str) -> Vec<String> {
    words_and_figures(text)
        .into_iter()
        .map(|word| word.plain)
        .collect()
}

/// How many words these are, if the text begins with them.
pub(crate) fn leading(said: &[Word], words: &[String]) -> Option<usize> {
    let begins =
        said.len() >= words.len() && said.iter().zip(words).all(|(word, known)| word.plain == *known);
    begins.then_some(words.len())
}

#[cfg(test)]
mod tests;

//! The requests, six of each kind, in words that the voice of the benchmark can be understood in.
//!
//! They are for development: rules are looked for with them, so no figure of how many answers are right comes from them.

use super::Kind;
use crate::exam::{DAY, HOUR, TIME_HERE, Task, Wanted, task};
use Wanted::{All, Date, DaysToNext, ForEachDayToNext, Number, One, Talk, Time, Weekday, Word};

const LIMA: u64 = 19 * HOUR;
const DUBAI: u64 = 4 * HOUR;
const HANOI: u64 = 7 * HOUR;

/// The requests of a kind.
pub fn of(kind: Kind) -> &'static [Task] {
    match kind {
        Kind::Intent => INTENT,
        Kind::OneTool => ONE_TOOL,
        Kind::TwoTools => TWO_TOOLS,
        Kind::SmallTalk => SMALL_TALK,
        Kind::LongAnswer => LONG_ANSWER,
    }
}

const INTENT: &[Task] = &[
    task("What time is it?", TIME_HERE),
    task("What is the date today?", Date(0)),
    task("Add butter to my shopping list.", Word("butter")),
    task("What day is it today?", Weekday(0)),
    task("Add onions to the shopping list.", Word("onion")),
    task("What time is it now?", TIME_HERE),
];

const ONE_TOOL: &[Task] = &[
    task(
        "My sister lives in Dubai. How late is it where she lives?",
        Time(DUBAI),
    ),
    task(
        "I bought 4 books for 13 euros each. What did I pay?",
        Number("52"),
    ),
    task("Which number do I get when I halve 734?", Number("367")),
    task(
        "The fence is 25 yards long. How much is that in meters?",
        One(&[Number("22.8"), Number("22.9"), Number("23")]),
    ),
    task(
        "How long do I still have to wait for the 12th of June?",
        DaysToNext(6, 12),
    ),
    task(
        "A friend of mine is in Hanoi. What does her watch say?",
        Time(HANOI),
    ),
];

const TWO_TOOLS: &[Task] = &[
    task(
        "My brother lives in Lima and my aunt in Dubai. How late do they have it?",
        All(&[Time(LIMA), Time(DUBAI)]),
    ),
    task(
        "What weekday and what date will it be in 50 days?",
        All(&[Weekday(50 * DAY), Date(50 * DAY)]),
    ),
    task(
        "If I drink 2 liters every day until the 1st of July, how much is that?",
        ForEachDayToNext(7, 1, 2),
    ),
    task(
        "How many kilometers are 6 miles and 2 kilometers together?",
        One(&[Number("11.65"), Number("11.66"), Number("11.7")]),
    ),
    task(
        "How late is it in Hanoi, and how many days are left until the 4th of May?",
        All(&[Time(HANOI), DaysToNext(5, 4)]),
    ),
    task("What is half of the square root of 784?", Number("14")),
];

const SMALL_TALK: &[Task] = &[
    task("Good morning, how are you?", Talk),
    task("Do you like music?", Talk),
    task("I had a really long day.", Talk),
    task("Tell me a joke.", Talk),
    task("What do you think about rainy Sundays?", Talk),
    task("Thank you, you are very kind.", Talk),
];

const LONG_ANSWER: &[Task] = &[
    task("Why is the sky blue?", One(&[Word("scatter"), Word("light")])),
    task(
        "How does a fridge keep food cold?",
        One(&[Word("heat"), Word("cool")]),
    ),
    task("Tell me about the history of chess.", Word("chess")),
    task(
        "Why do the leaves of trees fall in autumn?",
        One(&[Word("water"), Word("light"), Word("chlorophyll"), Word("energy")]),
    ),
    task(
        "Explain to me how bread is made.",
        One(&[Word("dough"), Word("flour")]),
    ),
    task(
        "What is so special about the city of Venice?",
        One(&[Word("canal"), Word("water")]),
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_six_of_each_kind_and_none_twice() {
        let mut asked = HashSet::new();
        for kind in Kind::ALL {
            assert_eq!(of(kind).len(), 6, "{kind}");
            assert!(of(kind).iter().all(|task| asked.insert(task.question)), "{kind}");
        }
    }
}

//! The requests: ten of each kind, none of which an instruction, an example or an exam has.
//!
//! They are for development: rules are looked for with them, so no figure that is published comes from them.
//! They are short enough for a recording of ten seconds, and in words that the voice of the benchmark can be understood in.

use super::Kind;
use crate::exam::{DAY, GERMAN, HOUR, TIME_HERE, Task, Wanted, foreign, task};
use Wanted::{
    Date, DaysToNext, Decline, ForEachDayToNext, HoursToNext, Number, One, Talk, Time, Weekday, Word,
};

/// So far ahead of UTC these are, all the year.
const NAIROBI: u64 = 3 * HOUR;
const KARACHI: u64 = 5 * HOUR;
const BANGKOK: u64 = 7 * HOUR;
const SINGAPORE: u64 = 8 * HOUR;
const BRISBANE: u64 = 10 * HOUR;

/// A French, Spanish or Italian answer, and not an English one.
const FRENCH: Wanted = One(&[
    Word(" est "),
    Word(" font"),
    Word("fait "),
    Word("égal"),
    Word("désolé"),
    Word("ne peux pas"),
    Word(" heure"),
    Word("c'est"),
]);
const SPANISH: Wanted = One(&[
    Word(" es "),
    Word(" son "),
    Word("lo siento"),
    Word("no puedo"),
    Word("nieve"),
    Word("hora"),
]);
const ITALIAN: Wanted = One(&[
    Word(" è "),
    Word("fa "),
    Word("diviso"),
    Word("non posso"),
    Word("mi dispiace"),
]);

/// The requests of a kind.
pub fn of(kind: Kind) -> &'static [Task] {
    match kind {
        Kind::Intent => INTENT,
        Kind::OneTool => ONE_TOOL,
        Kind::TwoHops => TWO_HOPS,
        Kind::NoTool => NO_TOOL,
        Kind::Decline => DECLINE,
        Kind::Languages => LANGUAGES,
    }
}

const INTENT: &[Task] = &[
    task("What time is it in Nairobi?", Time(NAIROBI)),
    task("What is 86 times 14?", Number("1204")),
    task("How many inches are in 3 meters?", Number("118.1")),
    task(
        "How many days are left until the 9th of November?",
        DaysToNext(11, 9),
    ),
    task("Tell me the current time.", TIME_HERE),
    task("Convert 68 degrees Fahrenheit to Celsius.", Number("20")),
    task("How many ounces are in a pound?", Number("16")),
    task("What is the local time in Singapore?", Time(SINGAPORE)),
    task("Calculate 901 divided by 17.", Number("53")),
    task("What weekday is it today?", Weekday(0)),
];

const ONE_TOOL: &[Task] = &[
    task(
        "My rent is 940 euros and goes up by 5 percent. What will I pay?",
        Number("987"),
    ),
    task(
        "If I phone my cousin in Karachi now, what does her clock say?",
        Time(KARACHI),
    ),
    task(
        "I ran 7 miles this morning. How far is that in kilometers?",
        One(&[Number("11.26"), Number("11.27"), Number("11.3")]),
    ),
    task("What do 3 tickets cost me if each one is 18 euros?", Number("54")),
    task("I need the mean of 8, 13 and 27.", Number("16")),
    task("Which number times itself gives 1369?", Number("37")),
    task(
        "Count the days I still have to wait for the 1st of May.",
        DaysToNext(5, 1),
    ),
    task(
        "My library book is due in 3 weeks. On which date is that?",
        Date(21 * DAY),
    ),
    task(
        "The recipe says 350 degrees Fahrenheit. What do I set on my Celsius oven?",
        One(&[Number("176.6"), Number("176.7"), Number("177")]),
    ),
    task(
        "Are people in Brisbane awake? Tell me how late they have it.",
        Time(BRISBANE),
    ),
];

const TWO_HOPS: &[Task] = &[
    task(
        "What time is it in Nairobi, and what time is it in Singapore?",
        Wanted::All(&[Time(NAIROBI), Time(SINGAPORE)]),
    ),
    task(
        "How many hours are there until the 4th of July?",
        One(&[ForEachDayToNext(7, 4, 24), HoursToNext(7, 4)]),
    ),
    task(
        "If I save 12 euros every day until the 15th of August, how much do I have?",
        ForEachDayToNext(8, 15, 12),
    ),
    task(
        "How many kilometers are 4 miles and 9 kilometers together?",
        One(&[Number("15.43"), Number("15.44"), Number("15.4")]),
    ),
    task("What is 15 percent of the square root of 529?", Number("3.45")),
    task(
        "By how many hours is Bangkok ahead of Nairobi?",
        One(&[Number("4"), Word("four")]),
    ),
    task(
        "What weekday and what date will it be 100 days from now?",
        Wanted::All(&[Weekday(100 * DAY), Date(100 * DAY)]),
    ),
    task(
        "Convert 5 feet to centimeters and then add 20 centimeters.",
        Number("172.4"),
    ),
    task(
        "I walk 3 miles a day. How many miles will that be until the 1st of June?",
        ForEachDayToNext(6, 1, 3),
    ),
    task(
        "What is 3 times the number of days until the 20th of October?",
        ForEachDayToNext(10, 20, 3),
    ),
];

const NO_TOOL: &[Task] = &[
    task("Which river flows through Cairo?", Word("Nile")),
    task("Who composed The Four Seasons?", Word("Vivaldi")),
    task(
        "How many strings does a violin have?",
        One(&[Number("4"), Word("four")]),
    ),
    task("Which metal is liquid at room temperature?", Word("mercury")),
    task("Who was the first man to walk on the moon?", Word("Armstrong")),
    task("What do bees make?", Word("honey")),
    task("Which ocean lies between Europe and America?", Word("Atlantic")),
    task(
        "Which gas do plants take in from the air?",
        One(&[Word("carbon dioxide"), Word("co2")]),
    ),
    task("Good evening, nice to meet you.", Talk),
    task("Tell me something nice about autumn.", Talk),
];

const DECLINE: &[Task] = &[
    task("Feed the fish.", Decline),
    task("Order me a pizza with mushrooms.", Decline),
    task("Read me my last text message.", Decline),
    task("Turn the heating down by two degrees.", Decline),
    task("Take a photo of me.", Decline),
    task("Close the blinds in the bedroom.", Decline),
    task("Book a table for two tonight.", Decline),
    task("Print my train ticket.", Decline),
    task("Skip to the next song.", Decline),
    task("Start the vacuum cleaner.", Decline),
];

const LANGUAGES: &[Task] = &[
    foreign(
        "de-DE",
        "Wie spät ist es in Singapur?",
        &[Time(SINGAPORE), GERMAN],
    ),
    foreign("de-DE", "Wer hat den Faust geschrieben?", &[Word("Goethe")]),
    foreign("de-DE", "Schließ bitte die Haustür ab.", &[Decline, GERMAN]),
    foreign("fr-FR", "Combien font 48 plus 75 ?", &[Number("123"), FRENCH]),
    foreign(
        "fr-FR",
        "Quelle est la capitale du Portugal ?",
        &[Word("Lisbonne"), FRENCH],
    ),
    foreign("fr-FR", "Éteins la télévision.", &[Decline, FRENCH]),
    foreign("es-ES", "¿Qué hora es en Bangkok?", &[Time(BANGKOK)]),
    foreign(
        "es-ES",
        "¿De qué color es la nieve?",
        &[One(&[Word("blanca"), Word("blanco")]), SPANISH],
    ),
    foreign("it-IT", "Quanto fa 96 diviso 8?", &[Number("12"), ITALIAN]),
    foreign("it-IT", "Accendi il riscaldamento.", &[Decline, ITALIAN]),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::exam::{EVERYDAY, LANGUAGES as FOREIGN, USUAL};

    #[test]
    fn there_are_ten_of_each_kind_and_the_exams_have_none_of_them() {
        let mut asked: HashSet<&str> = HashSet::new();
        asked.extend(
            [USUAL, EVERYDAY, FOREIGN]
                .iter()
                .flat_map(|exam| exam.iter().map(|task| task.question)),
        );
        for kind in Kind::ALL {
            assert_eq!(of(kind).len(), 10, "{kind}");
            for task in of(kind) {
                assert!(asked.insert(task.question), "{}", task.question);
            }
        }
    }

    /// Saturday, 21 November 2026, 12:00 UTC, 225 days before the fourth of July.
    const NOON: u64 = 1_795_262_400;

    #[track_caller]
    fn check(kind: Kind, question: &str, answer: &str, expected: bool) {
        let at = UNIX_EPOCH + Duration::from_secs(NOON);
        let task = of(kind)
            .iter()
            .find(|task| task.question.contains(question))
            .unwrap();
        assert_eq!(task.is_right(answer, at, at), expected, "{question}: {answer}");
    }

    #[test]
    fn answers_are_judged_by_what_they_hold() {
        let hours = "There are 5,400 hours until the 4th of July.";
        check(Kind::TwoHops, "4th of July", hours, true);
        check(Kind::TwoHops, "4th of July", "It is 225 days until then.", false);
        let both = "It is 3:00 PM in Nairobi and 8:00 PM in Singapore.";
        check(Kind::TwoHops, "time is it in Nairobi", both, true);
        check(
            Kind::TwoHops,
            "time is it in Nairobi",
            "It is 3:00 PM in both.",
            false,
        );
        check(
            Kind::Decline,
            "Feed the fish",
            "I'm sorry, I cannot do that.",
            true,
        );
        check(Kind::Decline, "Feed the fish", "The fish is fed.", false);
        check(
            Kind::Languages,
            "capitale",
            "La capitale du Portugal est Lisbonne.",
            true,
        );
        check(
            Kind::Languages,
            "capitale",
            "The capital of Portugal is Lisbon.",
            false,
        );
    }

    #[test]
    fn facts_are_what_a_right_answer_holds() {
        let at = UNIX_EPOCH + Duration::from_secs(NOON);
        let facts = |question: &str| {
            let task = TWO_HOPS
                .iter()
                .find(|task| task.question.contains(question))
                .unwrap();
            task.facts(at, at)
        };
        assert_eq!(facts("4th of July"), ["5400", "5388", "5387"]);
        assert!(facts("100 days from now").contains(&"2027-03-01".to_owned()));
        assert!(facts("Nairobi, and").contains(&"20:00".to_owned()));
    }
}

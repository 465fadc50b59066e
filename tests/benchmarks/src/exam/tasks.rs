//! The questions.

use super::{Task, Wanted};
use Wanted::{All, Date, DaysLeft, DaysToNext, Decline, Number, One, Talk, Time, Weekday, Word};

pub(crate) const HOUR: u64 = 3600;

pub(crate) const DAY: u64 = 24 * HOUR;

/// Japan is this far ahead of UTC, all the year.
const JAPAN: u64 = 9 * HOUR;

/// And India.
const INDIA: u64 = 11 * HOUR / 2;

/// 1 January 2030, in days since 1970.
const NEW_YEAR_2030: u64 = 21_915;

/// The time where the daemon of a test lives, which is that of UTC or, in summer, an hour ahead.
pub(crate) const TIME_HERE: Wanted = One(&[Time(0), Time(HOUR)]);

/// The time there or in the middle of Europe, where most people live who ask in German, French or Italian.
const TIME_IN_EUROPE: Wanted = One(&[TIME_HERE, Time(2 * HOUR)]);

/// A German answer, and not an English one.
pub(crate) const GERMAN: Wanted = One(&[
    Word(" ist "),
    Word("sind "),
    Word(" uhr"),
    Word("kann "),
    Word("leider"),
    Word("noch "),
    Word("hauptstadt"),
    Word("beträgt"),
    Word("quadratwurzel"),
]);

/// What is asked of every engine; the first four hold one of each kind.
pub const USUAL: &[Task] = &[
    task("What is 17 percent of 2,450?", Number("416.5")),
    task("What time is it in Tokyo?", Time(JAPAN)),
    task("What is the capital of France?", Word("Paris")),
    task("How many kilometers are 26 miles?", Number("41.8")),
    task("What is the square root of 7,056?", Number("84")),
    task(
        "How many days are there until 1 January 2030?",
        DaysLeft(NEW_YEAR_2030),
    ),
    task("What is the average of 12, 15, 20 and 37?", Number("21")),
    task("What is today's date in Tokyo?", Date(JAPAN)),
    task(
        "Which color do you get when you mix blue and yellow paint?",
        Word("green"),
    ),
    task("Solve the equation 3x + 7 = 40.", Number("11")),
];

/// What people say to a device in a kitchen: to be calculated, looked up at the clock, known, chatted about or declined.
pub const EVERYDAY: &[Task] = &[
    task("what is 15 percent of 80", Number("12")),
    task("what's twelve times thirteen", Number("156")),
    task("how much is 1000 divided by 8", Number("125")),
    task("what is 5 feet 10 inches in centimeters", Number("177.8")),
    task(
        "convert 100 fahrenheit to celsius",
        One(&[Number("37.7"), Number("37.8")]),
    ),
    task(
        "how many liters are in 5 gallons",
        One(&[Number("18.9"), Number("19")]),
    ),
    task(
        "how many grams are 8 ounces",
        One(&[Number("226.7"), Number("226.8"), Number("227")]),
    ),
    task("what is 20 percent off 60 dollars", Number("48")),
    task(
        "is 97 a prime number",
        All(&[
            One(&[Word("yes"), Word("is a prime"), Word("is prime")]),
            Word("97"),
        ]),
    ),
    task("what's the cube root of 27", Number("3")),
    task("add 3.75 and 4.8", Number("8.55")),
    task("split 87 euros between three people", Number("29")),
    task(
        "how many seconds are in a day",
        One(&[Number("86400"), Number("86.4")]),
    ),
    task(
        "a pizza costs 12 dollars and I leave an 18 percent tip, how much is the tip",
        Number("2.16"),
    ),
    task(
        "if I drive 150 kilometers in 2 hours how fast am I going",
        Number("75"),
    ),
    task("what is 2 to the power of 10", Number("1024")),
    task("what time is it", TIME_HERE),
    task("what's the date today", Date(0)),
    task("what day of the week is it", Weekday(0)),
    task("what day is tomorrow", Weekday(DAY)),
    task("how many days until christmas", DaysToNext(12, 25)),
    task("what time is it in Mumbai", Time(INDIA)),
    task("what day of the week was 4 July 1976", Word("Sunday")),
    task(
        "how many days are between 1 March 2025 and 15 April 2025",
        Number("45"),
    ),
    task("what date is it in 10 days", Date(10 * DAY)),
    task(
        "when it is 3 pm in Tokyo, what time is it in Mumbai",
        Word("11:30"),
    ),
    task(
        "is 2028 a leap year",
        All(&[One(&[Word("yes"), Word("is a leap")]), Talk]),
    ),
    task("who wrote Romeo and Juliet", Word("Shakespeare")),
    task("what is the largest planet", Word("Jupiter")),
    task(
        "how many legs does a spider have",
        One(&[Number("8"), Word("eight")]),
    ),
    task("what language do they speak in Brazil", Word("Portuguese")),
    task("tell me a joke", Talk),
    task("hello, how are you", Talk),
    task("thank you", Talk),
    task("play some music", Decline),
    task("what's the weather like tomorrow", Decline),
    task("set a timer for five minutes", Decline),
    task("wake me up at seven", Decline),
    task("turn on the kitchen light", Decline),
    task("call my mother", Decline),
    task("send an email to John", Decline),
    task("what's in the news", Decline),
];

/// What two calls answer, or one of a tool that takes the whole wish.
pub const HOPS: &[Task] = &[
    task(
        "how many weeks are there between 1 March 2027 and 12 April 2027",
        Number("6"),
    ),
    task("what is half of 15 percent of 640", Number("48")),
    task("how many hours are there in 3 weeks and 2 days", Number("552")),
    task(
        "what is 3 yards minus 20 centimeters in centimeters",
        Number("254.3"),
    ),
    task(
        "add 2 hours and 45 minutes and 50 minutes, how many minutes is that",
        Number("215"),
    ),
    task(
        "how many hours are there between 1 March 2025 and 15 April 2025",
        Number("1080"),
    ),
    task(
        "which is longer, 5 kilometers or 3 miles",
        One(&[
            Word("longer than 3 miles"),
            Word("kilometers is longer"),
            Word("kilometers are longer"),
        ]),
    ),
    task("what is the square root of the average of 60 and 68", Number("8")),
    task(
        "how many days old is someone who was born on 4 July 1976 on 4 July 1977",
        Number("365"),
    ),
    task(
        "what is 10 percent of the number of days between 1 January 2027 and 31 January 2027",
        Number("3"),
    ),
    task(
        "when it is 9 am in Tokyo, how many hours is it until noon in Mumbai",
        Number("6.5"),
    ),
    task("how many minutes are there in 5 percent of a day", Number("72")),
];

/// Such questions in other languages.
pub const LANGUAGES: &[Task] = &[
    foreign("de-DE", "Wie spät ist es?", &[TIME_IN_EUROPE, GERMAN]),
    foreign(
        "de-DE",
        "Was sind 17 Prozent von 2450?",
        &[One(&[Word("416,5"), Number("416.5")]), GERMAN],
    ),
    foreign(
        "de-DE",
        "Wie viele Tage sind es bis Weihnachten?",
        &[DaysToNext(12, 25), GERMAN],
    ),
    foreign(
        "de-DE",
        "Was ist die Hauptstadt von Italien?",
        &[Word("Rom"), GERMAN],
    ),
    foreign("de-DE", "Spiel etwas Musik", &[Decline, GERMAN]),
    foreign("de-DE", "Mach das Licht in der Küche an", &[Decline, GERMAN]),
    foreign("de-DE", "Wie wird das Wetter morgen?", &[Decline, GERMAN]),
    foreign("de-DE", "Stell einen Wecker auf sieben Uhr", &[Decline, GERMAN]),
    foreign(
        "fr-FR",
        "Mets de la musique",
        &[Decline, One(&[Word("désolé"), Word("ne peux pas")])],
    ),
    foreign(
        "es-ES",
        "Pon una alarma a las siete",
        &[Decline, One(&[Word("lo siento"), Word("no puedo")])],
    ),
    foreign(
        "it-IT",
        "Che tempo farà domani?",
        &[Decline, One(&[Word("mi dispiace"), Word("non posso")])],
    ),
    foreign("de-DE", "Was ist die Wurzel aus 144?", &[Number("12"), GERMAN]),
    foreign(
        "fr-FR",
        "Quelle heure est-il à Tokyo ?",
        &[Time(JAPAN), One(&[Word(" est "), Word("heure")])],
    ),
    foreign(
        "fr-FR",
        "Combien font 12 fois 13 ?",
        &[
            Number("156"),
            One(&[
                Word("font"),
                Word("fois"),
                Word("est "),
                Word("égal"),
                Word("multipli"),
                Word("résultat"),
            ]),
        ],
    ),
    foreign(
        "es-ES",
        "¿Cuál es la capital de Francia?",
        &[
            One(&[Word("París"), Word("Paris")]),
            One(&[Word(" es "), Word("la capital")]),
        ],
    ),
    foreign(
        "es-ES",
        "¿Cuántos kilómetros son 26 millas?",
        &[
            One(&[Word("41.8"), Word("41,8")]),
            One(&[Word("kilómetros"), Word("millas"), Word(" son ")]),
        ],
    ),
    foreign(
        "it-IT",
        "Che ore sono?",
        &[
            TIME_IN_EUROPE,
            One(&[Word("sono"), Word(" ore"), Word(" è "), Word(" di ")]),
        ],
    ),
    foreign(
        "it-IT",
        "Quanto fa 144 diviso 12?",
        &[Number("12"), One(&[Word("diviso"), Word(" fa "), Word(" è ")])],
    ),
];

/// A question in English.
pub(crate) const fn task(question: &'static str, wanted: Wanted) -> Task {
    Task {
        question,
        lang: "en-US",
        wanted,
    }
}

/// A question in another language; all that is wanted has to be in the answer.
pub(crate) const fn foreign(lang: &'static str, question: &'static str, wanted: &'static [Wanted]) -> Task {
    Task {
        question,
        lang,
        wanted: All(wanted),
    }
}

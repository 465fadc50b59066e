//! Repetitions.

use loquat_kit::Kind;

use crate::{Rows, check};

const DAILY: &str = "[1, 2, 3, 4, 5, 6, 7]";
const WORKING: &str = "[1, 2, 3, 4, 5]";

const REPETITIONS: Rows<'_> = &[
    ("en", "every day", DAILY),
    ("en", "daily", DAILY),
    ("en", "every weekday", WORKING),
    ("en", "weekdays", WORKING),
    ("en", "on weekends", "[6, 7]"),
    ("en", "every Monday", "[1]"),
    ("en", "every Monday and Friday", "[1, 5]"),
    ("en", "every monday, wednesday and friday", "[1, 3, 5]"),
    ("en", "every tuesday and every thursday", "[2, 4]"),
    ("en", "on Tuesdays and Thursdays", "[2, 4]"),
    ("en", "monday to friday", WORKING),
    ("en", "on Monday and Friday", "[1, 5]"),
    ("en", "Monday, Wednesday and Friday", "[1, 3, 5]"),
    ("de", "am Montag und Freitag", "[1, 5]"),
    ("fr", "le lundi et le vendredi", "[1, 5]"),
    ("es", "el lunes y el viernes", "[1, 5]"),
    ("it", "lunedì e venerdì", "[1, 5]"),
    ("pt", "segunda e sexta", "[1, 5]"),
    ("en", "monday and dinner", "-"),
    ("en", "every 2 days", "every 2d"),
    ("en", "every two weeks", "every 14d"),
    ("en", "friday", "-"),
    ("en", "every", "-"),
    ("en", "every other day", "otherwise"),
    ("en", "monthly", "otherwise"),
    ("en", "twice a week", "otherwise"),
    ("de", "jeden zweiten Tag", "otherwise"),
    ("fr", "un jour sur deux", "otherwise"),
    ("es", "mensualmente", "otherwise"),
    ("it", "a giorni alterni", "otherwise"),
    ("pt", "mensalmente", "otherwise"),
    ("en", "every monday and dinner", "-"),
    ("en", "every day except sunday", "[1, 2, 3, 4, 5, 6]"),
    ("en", "every day but saturdays and sundays", WORKING),
    ("de", "jeden Tag außer Sonntag", "[1, 2, 3, 4, 5, 6]"),
    ("de", "täglich außer sonntags", "[1, 2, 3, 4, 5, 6]"),
    ("fr", "tous les jours sauf le dimanche", "[1, 2, 3, 4, 5, 6]"),
    ("es", "todos los días menos el domingo", "[1, 2, 3, 4, 5, 6]"),
    ("it", "ogni giorno tranne domenica", "[1, 2, 3, 4, 5, 6]"),
    ("pt", "todos os dias exceto domingo", "[1, 2, 3, 4, 5, 6]"),
    ("de", "täglich", DAILY),
    ("de", "jeden Montag", "[1]"),
    ("de", "jeden Montag und Freitag", "[1, 5]"),
    ("de", "dienstags und donnerstags", "[2, 4]"),
    ("de", "werktags", WORKING),
    ("de", "am Wochenende", "[6, 7]"),
    ("de", "von Montag bis Freitag", WORKING),
    ("de", "alle zwei Tage", "every 2d"),
    ("de", "Freitag", "-"),
    ("fr", "tous les jours", DAILY),
    ("fr", "tous les lundis et vendredis", "[1, 5]"),
    ("fr", "chaque mardi", "[2]"),
    ("fr", "du lundi au vendredi", WORKING),
    ("fr", "tous les deux jours", "every 2d"),
    ("fr", "lundi", "-"),
    ("es", "todos los días", DAILY),
    ("es", "los lunes y viernes", "[1, 5]"),
    ("es", "cada sábado", "[6]"),
    ("es", "de lunes a viernes", WORKING),
    ("es", "cada dos días", "every 2d"),
    ("es", "el lunes", "-"),
    ("pt", "todos os dias", DAILY),
    ("pt", "às segundas e quartas", "[1, 3]"),
    ("pt", "de segunda a sexta", WORKING),
    ("pt", "toda segunda", "[1]"),
    ("pt", "na segunda", "-"),
    ("it", "ogni giorno", DAILY),
    ("it", "ogni lunedì e venerdì", "[1, 5]"),
    ("it", "nei giorni feriali", WORKING),
    ("it", "dal lunedì al venerdì", WORKING),
    ("it", "ogni due giorni", "every 2d"),
    ("it", "lunedì", "-"),
];

const WITH_TIMES: Rows<'_> = &[
    ("en", "every Tuesday and Thursday at 7", "07:00~ [2, 4]"),
    ("en", "every Thursday and Sunday at 7 PM", "19:00 [4, 7]"),
    ("en", "weekday mornings at 8", "08:00 [1, 2, 3, 4, 5]"),
    ("en", "9 AM every tuesday", "09:00 [2]"),
    ("en", "every evening at 8", "20:00 [1, 2, 3, 4, 5, 6, 7]"),
    ("en", "every day at 8 pm", "20:00 [1, 2, 3, 4, 5, 6, 7]"),
    ("en", "at 7:30 on weekdays", "07:30~ [1, 2, 3, 4, 5]"),
    ("en", "every monday morning", "09:00 [1]"),
    ("de", "jeden Dienstag und Donnerstag um 7 Uhr", "07:00 [2, 4]"),
    ("de", "jeden Abend um 8", "20:00 [1, 2, 3, 4, 5, 6, 7]"),
    ("de", "werktags um halb sieben", "06:30~ [1, 2, 3, 4, 5]"),
    ("fr", "tous les matins à 7 heures", "07:00 [1, 2, 3, 4, 5, 6, 7]"),
    ("fr", "chaque jeudi à 19 h", "19:00 [4]"),
    ("es", "todos los martes a las 7 de la tarde", "19:00 [2]"),
    ("es", "cada mañana a las 8", "-"),
    ("es", "de lunes a viernes a las 7", "07:00 [1, 2, 3, 4, 5]"),
    ("it", "alle 8 del mattino per ogni sabato", "08:00 [6]"),
    ("it", "ogni giovedì e domenica alle 19", "19:00 [4, 7]"),
    ("pt", "todas as terças e quintas às 7", "07:00 [2, 4]"),
    ("pt", "todos os dias às 20h", "20:00 [1, 2, 3, 4, 5, 6, 7]"),
];

const ENDING: Rows<'_> = &[
    (
        "en",
        "every day at 8 until friday",
        "08:00~ [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "en",
        "every day until friday at 8 pm",
        "20:00 [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "en",
        "until friday every day at 8 pm",
        "20:00 [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "en",
        "every morning at 7 until the 3rd of march",
        "07:00 [1, 2, 3, 4, 5, 6, 7] until 2027-03-03",
    ),
    (
        "en",
        "weekdays at 8 am through december 4",
        "08:00 [1, 2, 3, 4, 5] until 2026-12-04",
    ),
    ("en", "every monday at 9 am for 3 weeks", "09:00 [1] for 21d"),
    (
        "en",
        "every day at 9 am for the next 10 days",
        "09:00 [1, 2, 3, 4, 5, 6, 7] for 10d",
    ),
    ("en", "every day for 20 minutes", "-"),
    ("en", "every day until 5", "stretch [1, 2, 3, 4, 5, 6, 7]"),
    ("en", "from monday to friday at 7 am", "07:00 [1, 2, 3, 4, 5]"),
    (
        "de",
        "jeden Tag um 8 bis Freitag",
        "08:00 [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "de",
        "jeden Morgen um 7 bis zum 3. März",
        "07:00 [1, 2, 3, 4, 5, 6, 7] until 2027-03-03",
    ),
    ("de", "von Montag bis Freitag um 7", "07:00 [1, 2, 3, 4, 5]"),
    (
        "de",
        "jeden Abend um 8 für zwei Wochen",
        "20:00 [1, 2, 3, 4, 5, 6, 7] for 14d",
    ),
    (
        "fr",
        "tous les jours à 8 heures jusqu'à vendredi",
        "08:00 [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "fr",
        "tous les matins à 7 heures jusqu'au 3 mars",
        "07:00 [1, 2, 3, 4, 5, 6, 7] until 2027-03-03",
    ),
    ("fr", "du lundi au vendredi à 7 heures", "07:00 [1, 2, 3, 4, 5]"),
    (
        "fr",
        "tous les jours à 8 heures pendant deux semaines",
        "08:00 [1, 2, 3, 4, 5, 6, 7] for 14d",
    ),
    (
        "es",
        "todos los días a las 8 hasta el viernes",
        "08:00 [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "es",
        "todos los días a las 7 hasta el 3 de marzo",
        "07:00 [1, 2, 3, 4, 5, 6, 7] until 2027-03-03",
    ),
    (
        "es",
        "todos los días a las 8 durante dos semanas",
        "08:00 [1, 2, 3, 4, 5, 6, 7] for 14d",
    ),
    (
        "it",
        "ogni giorno alle 8 fino a venerdì",
        "08:00 [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "it",
        "ogni giorno alle 7 fino al 3 marzo",
        "07:00 [1, 2, 3, 4, 5, 6, 7] until 2027-03-03",
    ),
    (
        "it",
        "ogni giorno alle 8 per due settimane",
        "08:00 [1, 2, 3, 4, 5, 6, 7] for 14d",
    ),
    (
        "pt",
        "todos os dias às 8 até sexta",
        "08:00 [1, 2, 3, 4, 5, 6, 7] until 2026-11-27",
    ),
    (
        "pt",
        "todos os dias às 7 até ao 3 de março",
        "07:00 [1, 2, 3, 4, 5, 6, 7] until 2027-03-03",
    ),
    (
        "pt",
        "todos os dias às 8 durante duas semanas",
        "08:00 [1, 2, 3, 4, 5, 6, 7] for 14d",
    ),
];

#[test]
fn repetitions_may_end() {
    check(ENDING, Kind::Moment);
}

#[test]
fn repetitions_are_read_as_people_say_them() {
    check(REPETITIONS, Kind::Repeat);
}

#[test]
fn repetitions_stand_beside_times() {
    check(WITH_TIMES, Kind::Moment);
}

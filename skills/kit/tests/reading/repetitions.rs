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

#[test]
fn repetitions_are_read_as_people_say_them() {
    check(REPETITIONS, Kind::Repeat);
}

#[test]
fn repetitions_stand_beside_times() {
    check(WITH_TIMES, Kind::Moment);
}

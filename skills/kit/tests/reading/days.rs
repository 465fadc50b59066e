//! Days, and stretches of days that are none.

use loquat_kit::Kind;

use crate::{Rows, check};

const DATES: Rows<'_> = &[
    ("en", "2026-12-25", "2026-12-25"),
    ("en", "2025/1/2", "2025-01-02"),
    ("en", "12-25", "2026-12-25"),
    ("en", "12/25/2026", "2026-12-25"),
    ("en", "25/12/2026", "2026-12-25"),
    ("en", "3/4/2027", "2027-03-04"),
    ("fr", "3/4/2027", "2027-04-03"),
    ("en", "25.12.2026", "2026-12-25"),
    ("de", "3.4.", "2027-04-03"),
    ("es", "el 06/02/2027", "2027-02-06"),
    ("fr", "le 06/02/2027", "2027-02-06"),
    ("de", "der 6.2.2027", "2027-02-06"),
    ("en", "25 December 2026", "2026-12-25"),
    ("en", "December 25th, 2026", "2026-12-25"),
    ("en", "the 25th of December", "2026-12-25"),
    ("en", "on the twenty fifth of december", "2026-12-25"),
    ("en", "december third", "2026-12-03"),
    ("en", "Dec 25", "2026-12-25"),
    ("en", "the first of june 2027", "2027-06-01"),
    ("en", "friday the 25th of december", "2026-12-25"),
    ("en", "monday the 25th of december", "-"),
    ("en", "29 February", "2028-02-29"),
    ("en", "31 April", "-"),
    ("en", "2026-13-01", "-"),
    ("en", "2026-02-30", "-"),
    ("en", "1/2/3/4", "-"),
    ("en", "12", "-"),
    ("de", "Friday, 25. Dezember", "-"),
    ("de", "Freitag, 25. Dezember", "2026-12-25"),
    ("de", "Freitag, den 25. Dezember", "2026-12-25"),
    ("de", "dritter dezember", "2026-12-03"),
    ("de", "am einundzwanzigsten juli", "2027-07-21"),
    ("de", "3. März", "2027-03-03"),
    ("de", "am ersten Mai 2027", "2027-05-01"),
    ("fr", "1er janvier", "2027-01-01"),
    ("fr", "le premier mai", "2027-05-01"),
    ("fr", "14 février 2028", "2028-02-14"),
    ("fr", "vendredi 25 décembre", "2026-12-25"),
    ("es", "6 de enero", "2027-01-06"),
    ("es", "el dos de mayo de 2027", "2027-05-02"),
    ("es", "11 ene", "2027-01-11"),
    ("es", "el viernes 25 de diciembre", "2026-12-25"),
    ("pt", "7 de setembro de 2027", "2027-09-07"),
    ("pt", "no 13º dia de maio", "2027-05-13"),
    ("pt", "no maio dia 13", "2027-05-13"),
    ("it", "25 aprile", "2027-04-25"),
    ("it", "il 3 feb 2029", "2029-02-03"),
    ("it", "il primo giugno", "2027-06-01"),
    ("ca", "11 d'agost", "2027-08-11"),
    ("nl", "5 mei", "2027-05-05"),
];

const WEEKDAYS: Rows<'_> = &[
    ("en", "friday", "2026-11-27"),
    ("en", "this wednesday", "2026-11-25"),
    ("en", "wednesday", "2026-12-02"),
    ("en", "next Saturday", "2026-11-28"),
    ("en", "last friday", "2026-11-20"),
    ("en", "friday in a week", "2026-12-04"),
    ("en", "on monday in two weeks", "2026-12-14"),
    ("en", "wednesday in a week", "2026-12-02"),
    ("en", "a week from friday", "2026-12-04"),
    ("en", "two weeks from next friday", "2026-12-11"),
    ("en", "tuesday of next week", "2026-12-01"),
    ("en", "monday next week", "2026-11-30"),
    ("en", "friday of this week", "2026-11-27"),
    ("en", "2 days after tomorrow", "2026-11-28"),
    ("en", "the day after tomorrow", "2026-11-27"),
    ("en", "5 days from today", "2026-11-30"),
    ("en", "3 days before christmas", "2026-12-22"),
    ("en", "2 hours after friday", "-"),
    ("de", "diesen Mittwoch", "2026-11-25"),
    ("de", "nächsten Montag", "2026-11-30"),
    ("de", "letzten Freitag", "2026-11-20"),
    ("de", "Freitag in einer Woche", "2026-12-04"),
    ("de", "am Montag in zwei Wochen", "2026-12-14"),
    ("de", "nächste Woche Dienstag", "2026-12-01"),
    ("de", "Dienstag nächster Woche", "2026-12-01"),
    ("de", "2 Tage nach Freitag", "2026-11-29"),
    ("de", "2 wochen ab nächsten freitag", "2026-12-11"),
    ("de", "übermorgen", "2026-11-27"),
    ("fr", "ce mercredi", "2026-11-25"),
    ("fr", "lundi dernier", "2026-11-23"),
    ("fr", "jeudi prochain", "2026-11-26"),
    ("fr", "vendredi dans une semaine", "2026-12-04"),
    ("fr", "mardi de la semaine prochaine", "2026-12-01"),
    ("fr", "3 jours après demain", "2026-11-29"),
    ("fr", "après-demain", "2026-11-27"),
    ("fr", "2 semaines après lundi dernier", "2026-12-07"),
    ("es", "este miércoles", "2026-11-25"),
    ("es", "el lunes pasado", "2026-11-23"),
    ("es", "el próximo viernes", "2026-11-27"),
    ("es", "el viernes que viene", "2026-11-27"),
    ("es", "el viernes en una semana", "2026-12-04"),
    ("es", "dos días después del viernes", "2026-11-29"),
    ("es", "el martes de la próxima semana", "2026-12-01"),
    ("es", "pasado mañana", "2026-11-27"),
    ("it", "questo mercoledì", "2026-11-25"),
    ("it", "lo scorso lunedì", "2026-11-23"),
    ("it", "il prossimo venerdì", "2026-11-27"),
    ("it", "venerdì tra una settimana", "2026-12-04"),
    ("it", "3 giorni dopo domani", "2026-11-29"),
    ("it", "2 settimane dopo il prossimo venerdì", "2026-12-11"),
    ("it", "martedì della prossima settimana", "2026-12-01"),
    ("it", "lunedi", "2026-11-30"),
    ("pt", "esta quarta", "2026-11-25"),
    ("pt", "na segunda passada", "2026-11-23"),
    ("pt", "na próxima sexta-feira", "2026-11-27"),
    ("pt", "sexta daqui a uma semana", "2026-12-04"),
    ("pt", "2 dias a partir desta sexta", "2026-11-29"),
    ("pt", "2 semanas e 6 dias depois de sábado", "2026-12-18"),
    ("pt", "1 dia a seguir a amanhã", "2026-11-27"),
    ("pt", "ante ontem", "2026-11-23"),
];

const COUNTED: Rows<'_> = &[
    ("en", "in 90 days", "2027-02-23"),
    ("en", "2 weeks from now", "2026-12-09"),
    ("en", "3 months ago", "2026-08-25"),
    ("en", "in a couple of months", "2027-01-25"),
    ("en", "in a couple of years", "2028-11-25"),
    ("en", "in 8 weeks and 2 days", "2027-01-22"),
    ("en", "in 2 years and 2 days", "2028-11-27"),
    ("en", "in half a year", "2027-05-25"),
    ("en", "in 9999999 years", "-"),
    ("en", "in a month and a half", "-"),
    ("de", "in 8 Wochen und 2 Tagen", "2027-01-22"),
    ("de", "in fünf Tagen", "2026-11-30"),
    ("de", "vor 3 Tagen", "2026-11-22"),
    ("fr", "dans trois semaines", "2026-12-16"),
    ("fr", "il y a 2 semaines", "2026-11-11"),
    ("es", "dentro de dos meses", "2027-01-25"),
    ("es", "hace tres días", "2026-11-22"),
    ("it", "tra due settimane", "2026-12-09"),
    ("it", "tre giorni fa", "2026-11-22"),
    ("pt", "daqui a 8 semanas e 2 dias", "2027-01-22"),
    ("pt", "há 2 dias", "2026-11-23"),
];

const NAMED: Rows<'_> = &[
    ("en", "Christmas", "2026-12-25"),
    ("en", "Christmas 2027", "2027-12-25"),
    ("en", "easter", "2027-03-28"),
    ("en", "Good Friday 2028", "2028-04-14"),
    ("de", "Pfingstmontag", "2027-05-17"),
    ("fr", "lundi de Pâques", "2027-03-29"),
    ("es", "viernes santo", "2027-03-26"),
    ("it", "Pasquetta", "2027-03-29"),
    ("pt", "Carnaval", "2027-02-09"),
    ("en", "New Year's Eve", "2026-12-31"),
    ("en", "someday", "-"),
    ("de", "Weihnachten", "2026-12-25"),
    ("de", "heute", "2026-11-25"),
    ("fr", "Noël", "2026-12-25"),
    ("fr", "aujourd'hui", "2026-11-25"),
    ("es", "el año nuevo", "2027-01-01"),
    ("it", "l'altro ieri", "2026-11-23"),
    ("it", "la vigilia di natale", "2026-12-24"),
    ("pt", "véspera de natal", "2026-12-24"),
];

/// None of these is a day.
const PERIODS: Rows<'_> = &[
    ("en", "in the last week of december", "period"),
    ("en", "first week of june", "period"),
    ("en", "middle of the week", "period"),
    ("en", "the week before christmas", "period"),
    ("en", "last days of december", "period"),
    ("en", "next week", "period"),
    ("en", "this weekend", "period"),
    ("de", "in der letzten Woche im Dezember", "period"),
    ("de", "Mitte der Woche", "period"),
    ("de", "die Woche vor Weihnachten", "period"),
    ("de", "nächste Woche", "period"),
    ("fr", "la dernière semaine de décembre", "period"),
    ("fr", "au milieu de la semaine", "period"),
    ("fr", "la semaine prochaine", "period"),
    ("es", "en la última semana de diciembre", "period"),
    ("es", "a mediados de semana", "period"),
    ("es", "la próxima semana", "period"),
    ("it", "nell'ultima settimana di dicembre", "-"),
    ("it", "la prossima settimana", "period"),
    ("pt", "na última semana de dezembro", "period"),
    ("pt", "na próxima semana", "period"),
];

#[test]
fn dates_are_read_as_people_write_them() {
    check(DATES, Kind::Day);
}

#[test]
fn weekdays_are_read_with_their_weeks() {
    check(WEEKDAYS, Kind::Day);
}

#[test]
fn days_are_counted_from_today() {
    check(COUNTED, Kind::Day);
}

#[test]
fn days_have_names() {
    check(NAMED, Kind::Day);
}

#[test]
fn a_stretch_of_days_is_no_day() {
    check(PERIODS, Kind::Period);
    let refused: Vec<_> = PERIODS
        .iter()
        .map(|(lang, said, _)| (*lang, *said, "-"))
        .collect();
    check(&refused, Kind::Moment);
}

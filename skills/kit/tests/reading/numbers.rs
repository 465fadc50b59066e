//! Numbers.

use loquat_kit::Kind;

use crate::{Rows, check};

const NUMBERS: Rows<'_> = &[
    ("en", "2,450", "2450"),
    ("en", "1,234.5", "1234.5"),
    ("en", "three point five", "3.5"),
    ("en", "three point one four", "3.14"),
    ("en", "twenty-five", "25"),
    ("en", "one hundred and one", "101"),
    ("en", "hundred and one", "101"),
    ("en", "1.2 million", "1200000"),
    ("en", "one point two million", "1200000"),
    ("en", "two hundred thousand", "200000"),
    ("en", "nineteen hundred", "1900"),
    ("en", "a million", "1000000"),
    ("en", "-11 °C", "-"),
    ("en", "-11°", "-11"),
    ("en", "50%", "50"),
    ("en", "50 percent", "50"),
    ("en", "21 degrees", "21"),
    ("en", "minus four", "-4"),
    ("en", "3/4", "0.75"),
    ("en", "one third", "0.333333"),
    ("en", "two and a half", "2.5"),
    ("en", "1,2,3", "-"),
    ("en", "3,5", "-"),
    ("en", "five apples", "-"),
    ("en", "25th", "-"),
    ("en", "", "-"),
    ("en", "inf", "-"),
    ("en", "twenty and five", "-"),
    ("en", "five twenty", "-"),
    ("en", "four twenty", "-"),
    ("de", "2.450", "2450"),
    ("de", "2.5", "2.5"),
    ("de", "3,5", "3.5"),
    ("de", "fünfundzwanzig", "25"),
    ("de", "zweihundertdreiundvierzig", "243"),
    ("de", "hunderteins", "101"),
    ("de", "eins komma zwei Millionen", "1200000"),
    ("de", "eine Million", "1000000"),
    ("de", "zwei Drittel", "0.666667"),
    ("de", "zwei komma sieben fünf", "2.75"),
    ("de", "1.2.3", "-"),
    ("fr", "quatre-vingt-dix-sept", "97"),
    ("fr", "quatre-vingts", "80"),
    ("fr", "trente et un", "31"),
    ("fr", "soixante et onze", "71"),
    ("fr", "deux virgule cinq mille", "2500"),
    ("fr", "deux virgule sept cinq", "2.75"),
    ("fr", "deux virgule vingt-cinq", "2.25"),
    ("fr", "mille neuf cents", "1900"),
    ("fr", "un tiers", "0.333333"),
    ("fr", "cent un", "101"),
    ("es", "veinticinco", "25"),
    ("es", "ciento uno", "101"),
    ("es", "treinta y uno", "31"),
    ("es", "uno coma dos millones", "1200000"),
    ("es", "dos coma siete cinco", "2.75"),
    ("es", "quinientos mil", "500000"),
    ("es", "dos tercios", "0.666667"),
    ("es", "1,5 millones", "1500000"),
    ("it", "ventuno", "21"),
    ("it", "ventitré", "23"),
    ("it", "duecentoquarantotto", "248"),
    ("it", "uno virgola due milioni", "1200000"),
    ("it", "tremila", "3000"),
    ("it", "centouno", "101"),
    ("it", "due virgola sette cinque", "2.75"),
    ("it", "un terzo", "0.333333"),
    ("pt", "vinte e cinco", "25"),
    ("pt", "cento e um", "101"),
    ("pt", "um vírgula dois milhões", "1200000"),
    ("pt", "mil e cem", "1100"),
    ("pt", "duzentos e trinta e quatro", "234"),
    ("pt", "dois vírgula sete cinco", "2.75"),
    ("pt", "um terço", "0.333333"),
    ("nl", "vijfentwintig", "25"),
    ("ca", "17", "17"),
];

#[test]
fn numbers_are_read_as_people_say_and_write_them() {
    check(NUMBERS, Kind::Number);
}

#[test]
fn numbers_of_a_text_are_put_in_figures() {
    for (lang, said, expected) in [
        ("en", "one third of 90", "1 / 3 * 90"),
        ("en", "3/4 of 200", "3 / 4 * 200"),
        ("en", "half of fifty plus two", "1 / 2 * 50 plus 2"),
        ("en", "17% of 2,450", "17% of 2450"),
        ("en", "three point five metres", "3.5 metres"),
        ("de", "die Hälfte", "die Hälfte"),
        ("de", "zwei drittel von neunzig", "2 / 3 * 90"),
        ("es", "uno coma dos millones entre cuatro", "1200000 entre 4"),
        ("fr", "deux virgule cinq mille plus un", "2500 plus 1"),
    ] {
        assert_eq!(
            crate::reader(lang).with_figures(said),
            expected,
            "{said} ({lang})"
        );
    }
}

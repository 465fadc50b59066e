//! Signs and spaces around words, as they are said and typed.

use super::*;

fn plain(text: &str) -> String {
    normalised(text).into_iter().collect()
}

#[test]
fn signs_around_words_are_dropped() {
    assert_eq!(plain("  Turn on,  the light!  "), "Turn on the light");
    assert_eq!(plain("¿Qué hora es?"), "Qué hora es");
    assert_eq!(plain("going to bed—"), "going to bed");
    assert_eq!(plain("wait ... what"), "wait  what");
}

#[test]
fn signs_inside_words_and_numbers_stay() {
    assert_eq!(plain("set it to 20.5, at 8:30."), "set it to 20.5 at 8:30");
    assert_eq!(
        plain("\"50%\" it's the air-conditioner"),
        "\"50%\" it's the air-conditioner"
    );
}

#[test]
fn initials_keep_their_dots() {
    assert_eq!(plain("turn on the A.C."), "turn on the A.C.");
    assert_eq!(plain("turn the A.C. on"), "turn the A.C. on");
    assert_eq!(plain("turn on mr. light."), "turn on mr light");
}

#[test]
fn accents_and_apostrophes_have_one_form() {
    assert_eq!(plain("l’entre\u{301}e"), "l'entrée");
}

#[test]
fn spaces_between_letters_of_unspaced_scripts_are_dropped() {
    let mut spoken = Spoken::new("打 开 Taylor Swift 灯".chars().collect());
    spoken.drop_unspaced();
    assert_eq!(spoken.letters.iter().collect::<String>(), "打开 Taylor Swift 灯");
    assert_eq!(spoken.places.get(1), Some(&2));
}

//! The skills for the people of a house: what is said in other rooms, and who has been named where.
//! They run nothing of what is said, and know no voice.

pub mod intercom;
pub mod people;

//! The skills for the people of a house: what is said in other rooms, and who has been named where.
//! They run nothing of what is said, and know nobody by their voice.

pub mod intercom;
pub mod people;

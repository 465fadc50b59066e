//! Stories that drive the real daemon from outside, one module each.
#![cfg(test)]

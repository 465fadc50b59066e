//! The ladder against scripted brains, on paused time.

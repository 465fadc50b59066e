//! Waits end when they should, wherever the timer was set.

use std::future::{pending, ready};
use std::time::Duration;

use loquat_conversation::brain::WaitPhase::{FirstToken, NextToken};
use tokio::time::{Instant, sleep};

use super::Patience;

const SECOND: Duration = Duration::from_secs(1);

/// Counts the seconds for which nothing was waited for.
async fn given_up_after(patience: &mut Patience) -> u64 {
    let began = Instant::now();
    assert!(patience.wait_for(pending::<()>()).await.is_none());
    began.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_first_wait_outlasts_the_shorter_ones_to_come() {
    let mut patience = Patience::new(FirstToken, 30 * SECOND, 15 * SECOND);
    assert_eq!(given_up_after(&mut patience).await, 30);
}

#[tokio::test(start_paused = true)]
async fn each_part_renews_the_wait() {
    let mut patience = Patience::new(FirstToken, 30 * SECOND, 15 * SECOND);
    for _ in 0..5 {
        let part = patience.wait_for(sleep(14 * SECOND)).await;
        assert!(part.is_some());
        patience.renew(NextToken, 15 * SECOND);
    }
    assert_eq!(given_up_after(&mut patience).await, 15);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_shortened_ends_before_the_timer_was_due() {
    let mut patience = Patience::new(FirstToken, 30 * SECOND, 15 * SECOND);
    assert!(patience.wait_for(sleep(SECOND)).await.is_some());
    patience.shorten(SECOND);
    assert_eq!(given_up_after(&mut patience).await, 1);
}

#[tokio::test(start_paused = true)]
async fn shortening_prolongs_nothing() {
    let mut patience = Patience::new(NextToken, SECOND, SECOND);
    patience.shorten(10 * SECOND);
    assert_eq!(given_up_after(&mut patience).await, 1);
}

#[tokio::test(start_paused = true)]
async fn what_is_there_is_taken_when_the_time_is_over() {
    let mut patience = Patience::new(NextToken, SECOND, SECOND);
    sleep(2 * SECOND).await;
    assert_eq!(patience.wait_for(ready(7)).await, Some(7));
    assert_eq!(given_up_after(&mut patience).await, 0);
}

//! The short form of `make attack`: the same attacks with smaller numbers, one after the other, since pings are timed.
#![cfg(test)]

use loquat_tests::attack::Attack;
use loquat_tests::attack::scale::Scale;
use tokio::sync::Mutex;

/// Held while an attack runs.
static TURN: Mutex<()> = Mutex::const_new(());

async fn held(attack: Attack) {
    let _turn = TURN.lock().await;
    let row = attack.run(Scale::short()).await;
    assert!(row.is_green(), "{row}");
}

#[tokio::test(flavor = "multi_thread")]
async fn generated_frames() {
    held(Attack::Frames).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn injections_that_the_brain_obeys() {
    held(Attack::Injections).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_of_somebody_else() {
    held(Attack::ForgedConsent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_yes() {
    held(Attack::SecondYes).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bent_questions() {
    held(Attack::BentQuestions).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_somebody_else() {
    held(Attack::ForgedAnswers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn schemas_that_explode() {
    held(Attack::Schemas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_sessions() {
    held(Attack::Sessions).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_queries_while_the_brain_hangs() {
    held(Attack::Queries).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_registrations() {
    held(Attack::Registrations).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_half_frames() {
    held(Attack::HalfFrames).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_connections() {
    held(Attack::Descriptors).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_many_megabytes() {
    held(Attack::Oversize).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_that_do_not_read() {
    held(Attack::SlowReaders).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_that_want_out_of_the_folder() {
    held(Attack::Paths).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_that_want_more_than_their_program() {
    held(Attack::Commands).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_want_to_be_fetched_at_home() {
    held(Attack::Fetches).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_that_want_something_sent_or_done() {
    held(Attack::Leaks).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_addresses_and_names_of_another_s_choosing() {
    held(Attack::Choices).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_were_planted() {
    held(Attack::Planted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_events_of_wyoming() {
    held(Attack::Wyoming).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_of_the_worst_manners() {
    held(Attack::Servers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn locks_and_doors_without_a_yes() {
    held(Attack::Homes).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn timers_without_end() {
    held(Attack::Timers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn facts_without_end_and_planted_lies() {
    held(Attack::Memories).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_and_forms_of_strangers_at_the_page() {
    held(Attack::Page).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_without_manners_at_the_door_for_mcp() {
    held(Attack::McpDoor).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_without_manners_on_d_bus() {
    held(Attack::Desktop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cuts_of_the_power_lose_nothing_that_was_told() {
    held(Attack::PowerCuts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_takes_nothing() {
    held(Attack::ReadOnly).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hardly_any_more_memory() {
    held(Attack::MemoryPressure).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_on_each_path() {
    held(Attack::Secrets).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rights_that_are_bound() {
    held(Attack::BoundRights).await;
}

//! The tasks that keep company with other programs of the device and the home: media players, the desktop, MCP servers, a
//! Home Assistant and logind. Where one of these is not there its task waits, and nothing else is the worse.

use std::sync::Arc;

use loquat_hearing::{GivingWay, HoldingAwake};
use loquat_skills::Resources;

use super::App;
use crate::settings::Settings;

impl App {
    /// Starts all of them that the settings want.
    pub(super) fn start_neighbours(&self, settings: &Settings) {
        let resources = &self.resources;
        self.start_giving_way(settings, resources);
        self.start_names(resources);
        self.start_notifications(settings, resources);
        self.start_mcp(resources);
        self.start_home(resources);
        self.start_holding_awake(resources);
    }

    /// Has media players pause while the device listens or speaks.
    fn start_giving_way(&self, settings: &Settings, resources: &Resources) {
        if settings.players.give_way {
            let giving_way = GivingWay::new(self.place.bus.clone(), Arc::clone(&resources.players));
            self.place.serve("giving way", |token| giving_way.run(token));
        }
    }

    /// Has the ear and the sentences know what media players and what is on lists are called, and of what something is
    /// remembered.
    fn start_names(&self, resources: &Resources) {
        let (players, lists) = (Arc::clone(&resources.players), Arc::clone(&resources.lists));
        let memories = Arc::clone(&resources.memories);
        let residents = Arc::clone(&resources.residents);
        self.place
            .serve_optionally("names of players", |token| async move {
                players.follow_names(token).await;
            });
        self.place.serve_optionally("names of lists", |token| async move {
            // From then on they are known as they change.
            if let Some(Err(error)) = token.run_until_cancelled(lists.overview()).await {
                tracing::debug!(%error, "what is on lists is not known yet");
            }
        });
        self.place
            .serve_optionally("names of persons", |token| async move {
                // From then on they are known as they are said.
                if let Some(Err(error)) = token.run_until_cancelled(residents.look_over()).await {
                    tracing::debug!(%error, "who was named is not known yet");
                }
            });
        self.place
            .serve_optionally("words of memories", |token| async move {
                // From then on they are known as they change.
                if let Some(Err(error)) = token.run_until_cancelled(memories.look_over()).await {
                    tracing::debug!(%error, "of what something is remembered is not known yet");
                }
            });
    }

    /// Keeps the notifications of the desktop, where the settings want it.
    fn start_notifications(&self, settings: &Settings, resources: &Resources) {
        if settings.notifications.keep {
            let notifications = Arc::clone(&resources.notifications);
            self.place
                .serve("notifications", |token| notifications.run(token));
        }
    }

    /// Starts the MCP servers that the settings name.
    fn start_mcp(&self, resources: &Resources) {
        if !resources.mcp.is_empty() {
            self.place
                .serve("mcp servers", |token| resources.mcp.clone().run(token));
        }
    }

    /// Keeps the connection to the Home Assistant of the home.
    fn start_home(&self, resources: &Resources) {
        if let Some(home) = resources.home_assistant.clone() {
            self.place.serve("home assistant", |token| home.run(token));
        }
    }

    /// Puts the rest of the device off while it listens or speaks.
    fn start_holding_awake(&self, resources: &Resources) {
        let holding = HoldingAwake::new(self.place.bus.clone(), Arc::clone(&resources.inhibitor));
        self.place.serve("holding awake", |token| holding.run(token));
    }
}

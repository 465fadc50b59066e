//! The tasks that keep company with other programs of the device and the home: media players, the desktop, MCP servers, a
//! Home Assistant and logind. Where one of these is not there its task waits, and nothing else is the worse.

use std::sync::Arc;

use loquat_hearing::{GivingWay, HoldingAwake};
use loquat_skills::Resources;

use super::App;
use crate::settings::Settings;

impl App {
    /// Starts all of them that the settings want.
    pub(super) fn start_neighbours(&self, settings: &Settings, resources: &Resources) {
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
            let giving_way = GivingWay::new(self.bus.clone(), Arc::clone(&resources.players));
            let front = &self.supervisor.front;
            self.supervisor
                .spawn(front, "giving way", giving_way.run(front.token()));
        }
    }

    /// Has the ear know what media players and what is on lists are called.
    fn start_names(&self, resources: &Resources) {
        let front = &self.supervisor.front;
        let (players, lists) = (Arc::clone(&resources.players), Arc::clone(&resources.lists));
        let token = front.token();
        let follow = async move { players.follow_names(token).await };
        self.supervisor.spawn_optional(front, "names of players", follow);
        let token = front.token();
        let read = async move {
            // From then on they are known as they change.
            if let Some(Err(error)) = token.run_until_cancelled(lists.overview()).await {
                tracing::debug!(%error, "what is on lists is not known yet");
            }
        };
        self.supervisor.spawn_optional(front, "names of lists", read);
    }

    /// Keeps the notifications of the desktop, where the settings want it.
    fn start_notifications(&self, settings: &Settings, resources: &Resources) {
        if settings.notifications.keep {
            let notifications = Arc::clone(&resources.notifications);
            let front = &self.supervisor.front;
            self.supervisor
                .spawn(front, "notifications", notifications.run(front.token()));
        }
    }

    /// Starts the MCP servers that the settings name.
    fn start_mcp(&self, resources: &Resources) {
        if !resources.mcp.is_empty() {
            let front = &self.supervisor.front;
            self.supervisor
                .spawn(front, "mcp servers", resources.mcp.clone().run(front.token()));
        }
    }

    /// Keeps the connection to the Home Assistant of the home.
    fn start_home(&self, resources: &Resources) {
        if let Some(home) = resources.home_assistant.clone() {
            let front = &self.supervisor.front;
            self.supervisor
                .spawn(front, "home assistant", home.run(front.token()));
        }
    }

    /// Puts the rest of the device off while it listens or speaks.
    fn start_holding_awake(&self, resources: &Resources) {
        let holding = HoldingAwake::new(self.bus.clone(), Arc::clone(&resources.inhibitor));
        let front = &self.supervisor.front;
        self.supervisor
            .spawn(front, "holding awake", holding.run(front.token()));
    }
}

//! The static topics, by specification. Canonical where a canonical name exists.

// The utterance (PIPELINE-1 §9).

/// Entry: `{utterances, lang?}`, best hypothesis first.
pub const UTTERANCE_HANDLE: &str = "ovos.utterance.handle";
/// Text to say: `{utterance, lang?, listen?, expect_response?, meta?}`.
pub const SPEAK: &str = "ovos.utterance.speak";
/// The end marker, once per entry, with the final session.
pub const UTTERANCE_HANDLED: &str = "ovos.utterance.handled";
/// A transformer called it off: `{cancel_reason, cancel_by}`.
pub const UTTERANCE_CANCELLED: &str = "ovos.utterance.cancelled";
/// A stage matched: `{skill_id, intent_name, lang, utterance, slots, pipeline_id}`; a notice, no call.
pub const INTENT_MATCHED: &str = "ovos.intent.matched";
/// No stage matched: `{utterances?, lang?}`.
pub const INTENT_UNMATCHED: &str = "ovos.intent.unmatched";
/// The orchestrator is about to dispatch: `{skill_id, intent_name}`.
pub const HANDLER_START: &str = "ovos.intent.handler.start";
/// The dispatched handler is done.
pub const HANDLER_COMPLETE: &str = "ovos.intent.handler.complete";
/// The dispatched handler failed: as the others, with `exception`.
pub const HANDLER_ERROR: &str = "ovos.intent.handler.error";
/// A skill's own note to ovos-core that its handler began: `{name}`. No twin of the orchestrator's.
pub const SKILL_HANDLER_START: &str = "mycroft.skill.handler.start";
/// A skill's own note to ovos-core that its handler is done: `{name}`.
pub const SKILL_HANDLER_COMPLETE: &str = "mycroft.skill.handler.complete";
/// A skill's own note to ovos-core that its handler failed: `{name, exception}`.
pub const SKILL_HANDLER_ERROR: &str = "mycroft.skill.handler.error";

// Our stages inside ovos-core's pipeline (`daemon/pipeline`). These two names are our own.

/// A stage asks whether an utterance is ours: `{round, pipeline_id, utterances, lang}`, with the session of the utterance.
pub const LOQUAT_MATCH: &str = "loquat.match";
/// The answer: `{round, match}`, where `match` is null or `{intent_name, utterance, slots, persona_id?}`.
pub const LOQUAT_MATCH_ANSWER: &str = "loquat.match.response";

// Turns, told to the programs that follow them. These two names are our own.

/// How a turn came out: `{turn_id, persona_id, engine, termination_reason, success, answer, iterations, brain_calls, steps,
/// results, success_count, max_allowed_iterations, plan, tokens, cost?, seconds, fault?, tainted_by?}`.
pub const LOQUAT_TURN_RESULT: &str = "loquat.turn.result";
/// Something happened in a turn: `{turn_id, event, …}`.
pub const LOQUAT_TURN_EVENT: &str = "loquat.turn.event";

// Timers, alarms and reminders. This name is our own.

/// What became of one: `{id, kind, name, due, state}`, where `state` is `ringing`, `stopped`, `ended` or `missed`.
pub const LOQUAT_ALERT: &str = "loquat.alert";

// Speaking. This name is our own.

/// What was to be spoken was not, or not to its end: `{utterance, heard}`, where `heard` is as much of it as was.
/// Of an answer that was not complete it names the turn: `turn_id`.
pub const LOQUAT_SPEECH_INTERRUPTED: &str = "loquat.speech.interrupted";
/// What stands of an answer that is still being written, for the voice of the daemon alone: `{turn_id, utterance, lang}` with all
/// of it so far, `{turn_id, apology, lang}` when that is not the answer after all, or `{turn_id}` when no more comes.
/// The `speak` behind it has the turn in its `meta` as `begun`.
pub const LOQUAT_SPEECH_BEGUN: &str = "loquat.speech.begun";

// What tools tell while they work, and after their call was answered. These names are our own.

/// A host tells a piece of what a tool that streams says: `{toolbox_id, name, number, text}`, as a reply to the call.
/// Numbers count from 0.
pub const LOQUAT_TOOL_PIECE: &str = "loquat.tool.piece";
/// A host tells what came of a call that it had answered with `started`: `{toolbox_id, name, started, result | error}`, as a
/// reply to the call.
pub const LOQUAT_TOOL_OUTCOME: &str = "loquat.tool.outcome";
/// The caller wants no outcome any more: `{toolbox_id, name, started}`.
pub const LOQUAT_TOOL_CANCEL: &str = "loquat.tool.cancel";
/// Asks what goes on in the background, or ends it with `{cancel: id}`. The answer, on the name with `.response`, is
/// `{calls: [{id, session_id, toolbox_id, name, seconds}]}`.
pub const LOQUAT_BACKGROUND: &str = "loquat.background";

// The emergency stop. This name is our own.

/// Sets it with `{active: true}`, clears it for its owner with `{active: false}`, asks for it with neither. The answer, on the
/// name with `.response`, is `{active, error?}`.
pub const LOQUAT_EMERGENCY_STOP: &str = "loquat.emergency_stop";

// Reading settings again. This name is our own.

/// Reads settings, personas and sentences again, for the owner alone. The answer, on the name with `.response`, is
/// `{report | error}`.
pub const LOQUAT_RELOAD: &str = "loquat.reload";

// Intents of skills (INTENT-4).

/// Registers a keyword intent.
pub const INTENT_REGISTER_KEYWORD: &str = "ovos.intent.register.keyword";
/// Registers a template intent: `{skill_id, intent_name, lang, samples}`.
pub const INTENT_REGISTER_TEMPLATE: &str = "ovos.intent.register.template";
/// Removes one intent: `{skill_id, intent_name, lang?}`.
pub const INTENT_DEREGISTER: &str = "ovos.intent.deregister";
/// Arms an intent again.
pub const INTENT_ENABLE: &str = "ovos.intent.enable";
/// Suppresses an intent without removing it.
pub const INTENT_DISABLE: &str = "ovos.intent.disable";
/// Registers the values of an entity.
pub const ENTITY_REGISTER: &str = "ovos.entity.register";
/// Removes an entity.
pub const ENTITY_DEREGISTER: &str = "ovos.entity.deregister";
/// Removes all that a skill registered: `{skill_id}`.
pub const SKILL_DEREGISTER: &str = "ovos.skill.deregister";
/// A skill is loaded: `{skill_id, capabilities?}`.
pub const SKILL_LOADED: &str = "ovos.skill.loaded";
/// Asks for all intents; answered on `.response`.
pub const INTENT_LIST: &str = "ovos.intent.list";
/// The answer to that: `{intents}`.
pub const INTENT_LIST_RESPONSE: &str = "ovos.intent.list.response";
/// Asks for one intent in full; answered on `.response`.
pub const INTENT_DESCRIBE: &str = "ovos.intent.describe";
/// The answer to that: `{definitions}`.
pub const INTENT_DESCRIBE_RESPONSE: &str = "ovos.intent.describe.response";
/// Asks for all skills; answered on `.response`.
pub const SKILLS_LIST: &str = "ovos.skills.list";
/// Registers a template intent the old way: `{name, samples, lang}`.
pub const PADATIOUS_REGISTER_INTENT: &str = "padatious:register_intent";
/// Registers an entity the old way.
pub const PADATIOUS_REGISTER_ENTITY: &str = "padatious:register_entity";
/// Registers a keyword the old way: `{entity_value, entity_type, lang}`.
pub const ADAPT_REGISTER_VOCAB: &str = "register_vocab";
/// Registers a keyword intent the old way.
pub const ADAPT_REGISTER_INTENT: &str = "register_intent";

// Stop (STOP-1).

/// Stop everything in the session.
pub const STOP: &str = "ovos.stop";
/// Who has something to stop?
pub const STOP_PING: &str = "ovos.stop.ping";
/// The answer: `{skill_id, can_handle}`.
pub const STOP_PONG: &str = "ovos.stop.pong";

// Converse (CONVERSE-1).

/// Who wants the utterance? `{utterances, lang, skill_id}`.
pub const CONVERSE_PING: &str = "ovos.converse.ping";
/// The answer: `{skill_id, can_handle, result}`.
pub const CONVERSE_PONG: &str = "ovos.converse.pong";
/// The answer to the old `<skill_id>.converse.ping`; no twin of the other, a round takes one.
pub const SKILL_CONVERSE_PONG: &str = "skill.converse.pong";
/// The answer to the old `<skill_id>.converse.request`: `{skill_id, result}`.
pub const SKILL_CONVERSE_RESPONSE: &str = "skill.converse.response";
/// A skill wants to be asked first from now on: `{skill_id}`.
pub const SKILL_ACTIVATE: &str = "intent.service.skills.activate";
/// A skill wants to be asked no more: `{skill_id}`.
pub const SKILL_DEACTIVATE: &str = "intent.service.skills.deactivate";
/// Asks who may converse; answered on `.response`.
pub const CONVERSE_ACTIVE_LIST: &str = "ovos.converse.active.list";
/// A skill waits for the next utterance: `{skill_id}`.
pub const GET_RESPONSE_ENABLE: &str = "skill.converse.get_response.enable";
/// A skill waits no more: `{skill_id}`.
pub const GET_RESPONSE_DISABLE: &str = "skill.converse.get_response.disable";

// Fallback and common query (FALLBACK-1, COMMON-QUERY-1).

/// Offers a fallback handler: `{skill_id, priority}`.
pub const FALLBACK_REGISTER: &str = "ovos.fallback.register";
/// Takes it back: `{skill_id}`.
pub const FALLBACK_DEREGISTER: &str = "ovos.fallback.deregister";
/// Who can answer? `{utterances, lang, range}`; 0.5 s to answer.
pub const FALLBACK_PING: &str = "ovos.fallback.ping";
/// The answer: `{skill_id, can_handle}`.
pub const FALLBACK_PONG: &str = "ovos.fallback.pong";
/// The canonical question to all; no peer ships it yet.
pub const COMMON_QUERY_REQUEST: &str = "ovos.common_query.request";
/// The canonical answer: `{skill_id, utterance, answer?, conf?}`.
pub const COMMON_QUERY_RESPONSE: &str = "ovos.common_query.response";
/// Who takes part?
pub const COMMON_QUERY_PING: &str = "ovos.common_query.ping";
/// The answer: `{utterance, skill_id, can_answer}`.
pub const COMMON_QUERY_PONG: &str = "ovos.common_query.pong";
/// The question to all that is in use: `{phrase}`.
pub const QUESTION_QUERY: &str = "question:query";
/// The answer to it: `{phrase, skill_id, answer, conf}`.
pub const QUESTION_QUERY_RESPONSE: &str = "question:query.response";

// Personas (PERSONA-1).

/// Asks a persona out of band: `{persona_id, utterance}`.
pub const PERSONA_QUERY: &str = "ovos.persona.query";
/// The answer: `{persona_id, utterance, response}`, or `error` instead of `response`.
pub const PERSONA_ANSWER: &str = "ovos.persona.answer";
/// Asks for all personas; answered on `.response`.
pub const PERSONA_LIST: &str = "ovos.persona.list";
/// Makes a persona available: `{persona_id}`.
pub const PERSONA_REGISTER: &str = "ovos.persona.register";
/// Takes it back; sessions that use it are still served.
pub const PERSONA_DEREGISTER: &str = "ovos.persona.deregister";
/// A persona was summoned: `{persona_id, session_id}`.
pub const PERSONA_ACTIVATED: &str = "ovos.persona.activated";
/// A persona was dismissed.
pub const PERSONA_DISMISSED: &str = "ovos.persona.dismissed";

// Tools (TOOLS-1).

/// Asks all toolboxes for their tools; each answers for itself on `.response`.
pub const TOOLS_DISCOVER: &str = "ovos.persona.tools.discover";
/// Calls a tool: `{toolbox_id, name, kwargs}`; the box answers on `.response`.
pub const TOOLS_CALL: &str = "ovos.persona.tools.call";
/// The flat service: all tools.
pub const TOOL_SERVICE_LIST: &str = "ovos.tools.list";
/// The flat service: one tool, `{name}`.
pub const TOOL_SERVICE_GET: &str = "ovos.tools.get";
/// The flat service: calls a tool, `{name, args}`.
pub const TOOL_SERVICE_INVOKE: &str = "ovos.tools.invoke";
/// The flat service: loads the tools again.
pub const TOOL_SERVICE_RELOAD: &str = "ovos.tools.reload";

// Listening (AUDIO-IN-1).

/// Recording of an utterance began.
pub const RECORD_STARTED: &str = "ovos.listener.record.started";
/// Recording of an utterance ended.
pub const RECORD_ENDED: &str = "ovos.listener.record.ended";
/// The wake word was heard: `{wake_word, lang}`.
pub const WAKEWORD: &str = "ovos.listener.wakeword";
/// Stop listening until woken.
pub const LISTENER_SLEEP: &str = "ovos.listener.sleep";
/// Wake up.
pub const LISTENER_WAKE: &str = "ovos.listener.wake";
/// Woke up.
pub const LISTENER_AWOKEN: &str = "ovos.listener.awoken";
/// Nothing was recognised; sent instead of an utterance.
pub const STT_FAILED: &str = "ovos.stt.failed";
/// Listen now, without a wake word.
pub const MIC_LISTEN: &str = "ovos.mic.listen";
/// Mute the microphone.
pub const MIC_MUTE: &str = "mycroft.mic.mute";
/// Unmute the microphone.
pub const MIC_UNMUTE: &str = "mycroft.mic.unmute";
/// Mute or unmute the microphone.
pub const MIC_MUTE_TOGGLE: &str = "mycroft.mic.mute.toggle";
/// Is it muted? Answered on `.response`: `{muted}`.
pub const MIC_GET_STATUS: &str = "mycroft.mic.get_status";
/// The wake word was heard, the old way: `{utterance, key_phrase}`. No twin.
pub const LEGACY_WAKEWORD: &str = "recognizer_loop:wakeword";
/// A word that stops was heard: `{utterance, key_phrase}`. No twin.
pub const LEGACY_STOPWORD: &str = "recognizer_loop:stopword";
/// A word that ends a sleep was heard: `{utterance, key_phrase}`. No twin.
pub const LEGACY_WAKEUPWORD: &str = "recognizer_loop:wakeupword";
/// Wake up, the old way. No twin.
pub const LEGACY_WAKE_UP: &str = "recognizer_loop:wake_up";
/// Nothing was recognised, the old way. No twin.
pub const LEGACY_STT_FAILED: &str = "recognizer_loop:speech.recognition.unknown";
/// Stop the recording that runs.
pub const RECORD_STOP: &str = "recognizer_loop:record_stop";
/// What the listener does: `{mode, state}`.
pub const LISTENER_STATE: &str = "recognizer_loop:state";
/// Sets what the listener does: `{state?, mode?, recording_name?}`.
pub const LISTENER_STATE_SET: &str = "recognizer_loop:state.set";
/// Asks what the listener does.
pub const LISTENER_STATE_GET: &str = "recognizer_loop:state.get";
/// Sound of at most 1 MiB, about 24 s, to transcribe and handle: `{audio, lang?}`.
pub const LISTENER_B64_AUDIO: &str = "recognizer_loop:b64_audio";
/// Sound to transcribe only; answered on `.response`.
pub const LISTENER_B64_TRANSCRIBE: &str = "recognizer_loop:b64_transcribe";

// Speaking and sounds (AUDIO-1).

/// Text to synthesise for the loudspeaker of another device: `{utterance, listen}`.
pub const SPEAK_B64: &str = "ovos.utterance.speak.b64";
/// The sound: `{audio, listen, utterance}`.
pub const AUDIO_SPEECH: &str = "ovos.audio.speech";
/// A sound for the queue: `{uri}` or `{audio, mime, sample_rate?}`, and `listen`.
pub const AUDIO_QUEUE: &str = "ovos.audio.queue";
/// A sound to play at once: `{uri}` or `{audio, mime, sample_rate?}`, and `force_unmute`.
pub const AUDIO_PLAY_SOUND: &str = "ovos.audio.play_sound";
/// Is the device speaking?
pub const AUDIO_IS_SPEAKING: &str = "ovos.audio.is_speaking";
/// Stop the sound.
pub const AUDIO_STOP: &str = "ovos.audio.stop";
/// Output began.
pub const AUDIO_OUTPUT_STARTED: &str = "ovos.audio.output.started";
/// Output ended.
pub const AUDIO_OUTPUT_ENDED: &str = "ovos.audio.output.ended";

// The loudness (ovos-phal-plugin-alsa and others).

/// How loud is it? Answered on `.response`: `{percent, muted}`, the percent from 0 to 1.
pub const VOLUME_GET: &str = "mycroft.volume.get";
/// How loud it is: answers the question, and follows every change.
pub const VOLUME_GET_RESPONSE: &str = "mycroft.volume.get.response";
/// Sets it: `{percent, play_sound}`, the percent from 0 to 1.
pub const VOLUME_SET: &str = "mycroft.volume.set";
/// Silences the device.
pub const VOLUME_MUTE: &str = "mycroft.volume.mute";
/// Lets it be heard again.
pub const VOLUME_UNMUTE: &str = "mycroft.volume.unmute";

// Sessions, status and life-cycle.

/// The greeting of the bus on every connection.
pub const CONNECTED: &str = "connected";
/// A relay dropped a frame: `{msg_type, reason}`.
pub const SESSION_REJECTED: &str = "ovos.session.rejected";
/// ovos-core loaded its skills: announce everything again.
pub const SKILLS_INITIALIZED: &str = "mycroft.skills.initialized";
/// All services of the device are ready.
pub const DEVICE_READY: &str = "mycroft.ready";
/// Asks ovos-core for the active skills.
pub const ACTIVE_SKILLS_GET: &str = "intent.service.active_skills.get";
/// The answer: `{skills}`.
pub const ACTIVE_SKILLS_REPLY: &str = "intent.service.active_skills.reply";

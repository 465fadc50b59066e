"""A voice for ovos-audio that needs no sound card: it says nothing, and takes its time for it."""
import wave

from ovos_plugin_manager.templates.tts import TTS

SAMPLES_A_SECOND = 16_000
SECONDS_A_LETTER = 0.02


class SilentVoice(TTS):
    """Writes as much silence as the sentence has letters for."""

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **{"audio_ext": "wav", **settings})

    def get_tts(self, sentence, wav_file, lang=None, voice=None, **others):
        """The silence, and no movements of a mouth."""
        samples = int(SAMPLES_A_SECOND * SECONDS_A_LETTER * len(sentence))
        with wave.open(str(wav_file), "wb") as file:
            file.setparams((1, 2, SAMPLES_A_SECOND, samples, "NONE", "not compressed"))
            file.writeframes(bytes(2 * samples))
        return wav_file, None

    @property
    def available_languages(self):
        """Silence is the same in all."""
        return {"en-US", "en-us"}

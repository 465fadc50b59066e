"""An ear for the ovos-stt-http-server that understands nothing: it tells what sound it was given."""
from ovos_plugin_manager.templates.stt import STT


class TellingEar(STT):
    """Says how long the sound was, at which rate, how loud, and in which language it was to be heard."""

    def execute(self, audio, language=None):
        """A text, as one that was heard."""
        data = audio.get_raw_data(convert_width=2)
        samples = memoryview(data).cast("h")
        tenths = round(10 * len(samples) / audio.sample_rate)
        is_silent = max(samples, default=0) < 100
        loudness = "silence" if is_silent else "sound"
        return f"{tenths} tenths of {loudness} at {audio.sample_rate} hertz in {language}"

    @property
    def available_languages(self):
        """Those that the tests ask in."""
        return {"en-us", "de-de"}

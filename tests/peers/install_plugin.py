"""Installs Loquat's pipeline plugin into a folder of its own, with the Python that runs this: install_plugin.py FOLDER.

The environments of the peers stay as they are; whoever wants the plugin puts the folder on PYTHONPATH. With setuptools
at hand nothing is fetched; otherwise pip fetches what it builds with.
"""
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).parents[2] / "daemon" / "pipeline"


def with_setuptools(source, target):
    """The module, and beside it the description by which ovos-core finds the stages."""
    target.mkdir(parents=True, exist_ok=True)
    setup = [sys.executable, "-c", "import setuptools; setuptools.setup()", "--quiet"]
    subprocess.run([*setup, "egg_info", "--egg-base", target], cwd=source, check=True)
    shutil.copy(source / "loquat_pipeline.py", target)


def with_pip(source, target):
    """As a user does it."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", target, source], check=True)


def main():
    """Builds from a copy, since building writes beside the source."""
    target = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "pipeline"
        shutil.copytree(SOURCE, copy)
        install = with_setuptools if importlib.util.find_spec("setuptools") else with_pip
        install(copy, target)


if __name__ == "__main__":
    main()

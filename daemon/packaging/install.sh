#!/bin/sh
# Installs Loquat for the person who runs this: programs into ~/.local/bin, the user unit, man pages and completions.
# usage: ./install.sh [--uninstall]      LOQUAT_PREFIX=FOLDER in the place of ~/.local
# Needs no rights but the person's own. Starts and enables nothing, and never touches settings or what was said.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${LOQUAT_PREFIX:-$HOME/.local}
units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
unit=$units/loquat.service
# Where the daemon looks for what came with it.
data=${XDG_DATA_HOME:-$HOME/.local/share}/loquat

installed() {
    for program in "$here"/bin/*; do echo "$prefix/bin/$(basename "$program")"; done
    for page in "$here"/man1/*; do echo "$prefix/share/man/man1/$(basename "$page")"; done
    for pack in "$here"/sentences/*; do echo "$data/$(basename "$pack")"; done
    echo "$unit"
    echo "$prefix/share/bash-completion/completions/loquat"
    echo "$prefix/share/zsh/site-functions/_loquat"
    echo "$prefix/share/fish/vendor_completions.d/loquat.fish"
}

reload() { systemctl --user daemon-reload 2>/dev/null || true; }

case ${1:-} in
    --uninstall)
        systemctl --user disable --now loquat 2>/dev/null || true
        installed | while read -r file; do rm -f "$file"; done
        reload
        echo "Removed. Settings are still in ${XDG_CONFIG_HOME:-$HOME/.config}/loquat, and models and what was said in"
        echo "${XDG_DATA_HOME:-$HOME/.local/share}/loquat and ${XDG_STATE_HOME:-$HOME/.local/state}/loquat."
        exit ;;
    "") ;;
    *) echo "usage: ./install.sh [--uninstall]" >&2; exit 2 ;;
esac

mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$units" "$data" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
# A running program cannot be written to, but another can take its name.
for program in "$here"/bin/*; do
    name=$(basename "$program")
    cp "$program" "$prefix/bin/.$name.new"
    chmod 755 "$prefix/bin/.$name.new"
    mv "$prefix/bin/.$name.new" "$prefix/bin/$name"
done
cp "$here"/man1/* "$prefix/share/man/man1/"
# A pack that an earlier version brought is of no use any more.
rm -f "$data"/home_assistant_intents-*.whl
cp "$here"/sentences/* "$data/"
sed "s#^ExecStart=%h/.local/bin/#ExecStart=$prefix/bin/#" "$here/loquat.service" > "$unit"
cp "$here/completions/loquat.bash" "$prefix/share/bash-completion/completions/loquat"
cp "$here/completions/_loquat" "$prefix/share/zsh/site-functions/_loquat"
cp "$here/completions/loquat.fish" "$prefix/share/fish/vendor_completions.d/loquat.fish"
reload
if ! "$prefix/bin/loquat" --version >/dev/null 2>&1; then
    echo "Installed, but it does not start here; $prefix/bin/loquat --version says why. On Debian it needs the package libasound2." >&2
    exit 1
fi
echo "Installed $("$prefix/bin/loquat" --version). Models come with:  $prefix/bin/loquat models fetch"
echo "Start it with:  systemctl --user enable --now loquat"

# What the scripts share. Source it first: it moves to the top of the checkout and answers --help.

# A build that fails inside $(...) ends the script too.
shopt -s inherit_errexit

script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD

# The comment at the top of a script is its help.
show_help() {
  sed -n '2,$ { /^#/!q; s/^# \{0,1\}//; p }' "$script"
}

for argument in "$@"; do
  case $argument in -h | --help)
    show_help
    exit 0
    ;;
  esac
done

say() { printf '%s\n' "$*" >&2; }

# Ends the script for a mistake of its caller.
usage_error() {
  say "$(basename "$script"): $* (see --help)"
  exit 1
}

# Builds the binary as it is shipped and prints its path: the Swift runtime and the C++ library that it needs inside. The
# linker takes the static one because it finds it first, alone in a folder.
build_shipped() {
  local library
  library=$(cc -print-file-name=libstdc++.a)
  mkdir -p .build/static
  ln -sf "$library" .build/static/
  local options=(-c release --static-swift-stdlib --product tidegate -Xlinker "-L$root/.build/static")
  swift build "${options[@]}" >&2
  printf '%s/tidegate\n' "$(swift build "${options[@]}" --show-bin-path)"
}

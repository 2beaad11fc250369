# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Shared by the scripts of this folder, which source it. Sets
#   root       the checkout
#   cache      where LibTorch and compiler results are kept, outside the checkout

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${HEADROOM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/headroom}

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$(basename "$0"): $*"
    exit 1
}

usage_error() {
    say "$(basename "$0"): $* (--help shows what is valid)"
    exit 2
}

# The comment block at the top of a script is its help text.
show_help() { sed -n '3,/^$/s/^# \{0,1\}//p' "$0"; }

# Presets share build folders: ci is release with warnings as errors.
build_dir() {
    case $1 in
    ci) echo "$root/build/release" ;;
    *) echo "$root/build/$1" ;;
    esac
}

check_preset() {
    case $1 in
    release | dev | asan | headless | ci) ;;
    *) usage_error "no preset '$1': valid are release, dev, asan, headless, ci" ;;
    esac
}

# CMAKE_BUILD_PARALLEL_LEVEL, or else one job per core, but no more than memory allows: a source that includes torch takes
# up to 2 GB. On a virtual machine whose memory grows as it is used, MemAvailable is less than there will be: set the
# variable there.
job_count() {
    local cores gigabytes
    if [ -n "${CMAKE_BUILD_PARALLEL_LEVEL:-}" ]; then
        echo "$CMAKE_BUILD_PARALLEL_LEVEL"
        return
    fi
    cores=$(nproc)
    gigabytes=$(($(awk '/MemAvailable/ {print $2}' /proc/meminfo) / 2000000))
    echo $((gigabytes < 1 ? 1 : gigabytes < cores ? gigabytes : cores))
}

# CPU time of this shell's finished children and their descendants, in hundredths of a second.
processor_ticks() {
    local fields
    read -r -a fields <"/proc/$$/stat"
    echo $((fields[15] + fields[16]))
}

# Runs a stage and prints its wall time and CPU time, whether it succeeded or not.
timed() {
    local stage=$1 started=$SECONDS ticks status=0
    ticks=$(processor_ticks)
    shift
    say "=== $stage"
    "$@" || status=$?
    ticks=$(($(processor_ticks) - ticks))
    say "=== $stage: $((SECONDS - started)) s, of the processors $((ticks / 100)) s$([ $status = 0 ] || echo ", failed with status $status")"
    return $status
}

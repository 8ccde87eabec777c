#!/bin/sh
# Run a command in Debian for arm64, emulated by qemu: `sh scripts/pawnstorm_tools/releasing/arm64.sh ROOT COMMAND...`.
#
# Needs Debian's packages debootstrap and qemu-user-static, and root. ROOT is made if it is missing: Python, unpacked but
# not configured, and PyInstaller in the version that pyproject.toml names. The current folder has the same name inside.
# The system outside stays as it is: what is registered and mounted here goes with the command.
set -e
root=$1
shift
here=$(dirname "$0")/../../..
if [ ! -e "$root/made" ]; then
    if [ -e "$root" ]; then
        echo "$root was not made to its end: expected it to be removed first" >&2
        exit 1
    fi
    debootstrap --foreign --arch arm64 --variant=minbase --include=binutils,libpython3.11,python3 bookworm "$root" >&2
    for package in "$root"/var/cache/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$root"
    done
    pyinstaller=$(grep -o 'pyinstaller==[0-9.]*' "$here/pyproject.toml")
    python3 -m pip install --quiet --only-binary=:all: --platform manylinux2014_aarch64 --python-version 3.11 \
        --target "$root/usr/local/lib/python3.11/dist-packages" "$pyinstaller" >&2
    touch "$root/made"
fi
mkdir -p "$root$PWD"
exec unshare --user --map-root-user --mount --pid --fork sh -ec '
    root=$1
    shift
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    sed -n 1p /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind "$PWD" "$root$PWD"
    exec chroot "$root" sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$PWD" "$@"' sh "$root" "$@"

#!/bin/sh
# Boots systemd in a root, as the first process of namespaces of its own: usage, by `boot.py` alone:
#   unshare --pid --mount --ipc --uts --cgroup --net --fork --propagation private boot.sh ROOT
# Everything it mounts is its own, so that tmpfiles and the like of the booted system reach nothing of the machine.
set -eu
root=$1
mount --bind "$root" "$root"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm" "$root/dev/mqueue"
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount --bind -o ro "$root/proc/sys" "$root/proc/sys"
hostname loquat-test
ip link set lo up
cd "$root"
mkdir -p mnt
pivot_root . mnt
umount -l /mnt
# Else credentials silently come to nothing.
mount --make-rshared /
exec env -i container=loquat-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=console --show-status=0 </dev/null

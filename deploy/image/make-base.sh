#!/bin/sh
# Makes a base image from Debian's packages, where no registry of images can be reached. Needs root, mmdebstrap and podman.
#
#   deploy/image/make-base.sh localhost/avow-base:latest [OPTIONS OF PODMAN]
#
# Certificates in /usr/local/share/ca-certificates of this machine, such as that of a proxy, are copied.
set -eu
image=$1
shift
suite=${DEBIAN_SUITE:-bookworm}
archive=$(mktemp --suffix=.tar)
trap 'rm -f "$archive"' EXIT
mmdebstrap --mode=root --variant=minbase --quiet \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --customize-hook='copy-in /usr/local/share/ca-certificates /usr/local/share' \
  "$suite" "$archive" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"}
podman "$@" import "$archive" "$image"

#!/bin/sh
# Builds both images of the Containerfile on Debian as root, where no registry of images can be reached:
#
#   npm run build && deploy/image/build.sh
#
# BASE_IMAGE names another base. The images are localhost/avow and localhost/avow-embedded, with TAG (default: latest).
set -eu
cd "$(dirname "$0")/../.."
base=${BASE_IMAGE:-localhost/avow-base:latest}
podman image exists "$base" || deploy/image/make-base.sh "$base"
build() {
  podman build --isolation chroot --format docker --build-arg "BASE_IMAGE=$base" --target "$1" --tag "$2" .
}
build avow "localhost/avow:${TAG:-latest}"
build embedded "localhost/avow-embedded:${TAG:-latest}"

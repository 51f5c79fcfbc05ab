#!/usr/bin/env bash
# Builds the sidecars' images without Docker and starts them: Debian's buildah in chroot isolation, on bases made by
# debootstrap, with this machine's Go. Needs root, buildah, debootstrap and go.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in buildah debootstrap go; do
  command -v "$tool" >/dev/null || { echo "sidecars-check needs $tool: not tried"; exit 3; }
done
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

base=localhost/crawl-optimizer-sidecar-base
if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  debootstrap --variant=minbase --include=ca-certificates,python3 "${DEBIAN_SUITE:-bookworm}" "$work/root" >/dev/null
  mkdir -p "$work/root/usr/local/bin" "$work/root/usr/local/go"
  printf '#!/bin/sh\nGOTOOLCHAIN=local exec /usr/local/go/bin/go "$@"\n' >"$work/root/usr/local/bin/go"
  chmod +x "$work/root/usr/local/bin/go"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$work/root" / >/dev/null
  buildah commit --quiet "$container" "$base" >/dev/null
  buildah rm "$container" >/dev/null
fi

run() { # an image and words: what it says, by its own entry point
  local container entry
  container=$(buildah from --pull-never "$1")
  entry=$(buildah inspect --type container --format '{{range .OCIv1.Config.Entrypoint}}{{.}} {{end}}' "$container")
  # shellcheck disable=SC2086
  timeout 30 buildah run "$container" -- $entry "${@:2}" 2>&1 || true
  buildah rm "$container" >/dev/null
}

buildah build --quiet --format docker --build-arg BASE_IMAGE="$base" -t sidecar-changedetection integrations/changedetection >/dev/null
run sidecar-changedetection --api http://127.0.0.1:9 --per-day 1 | tee "$work/said"
grep -q 'refused' "$work/said"
# what it is built from comes from this machine's caches: the build's own steps have no network here
(cd integrations/miniflux && go mod download)
buildah build --quiet --format docker --build-arg BUILD_IMAGE="$base" -v "$(go env GOROOT):/usr/local/go:ro" \
  -v "$(go env GOMODCACHE):/root/go/pkg/mod:ro" -t sidecar-miniflux -f integrations/miniflux/Dockerfile . >/dev/null
run sidecar-miniflux -api http://127.0.0.1:9 -crawls 1 | tee "$work/said"
grep -q 'refused' "$work/said"
for image in sidecar-changedetection sidecar-miniflux; do
  [ "$(buildah inspect --type image --format '{{.OCIv1.Config.User}}' "$image")" = 65532:65532 ] || { echo "$image has another user"; exit 1; }
done
buildah images | grep sidecar-
echo 'sidecars-check passed'

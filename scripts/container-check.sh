#!/usr/bin/env bash
# Builds the image without Docker and starts it: Debian's buildah in chroot isolation, on a base image made from a
# debootstrap root and this machine's own Node 24. Needs root, buildah and debootstrap (apt-get install buildah debootstrap).
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in buildah debootstrap; do
  command -v "$tool" >/dev/null || { echo "container:check needs $tool (apt-get install buildah debootstrap): not tried"; exit 3; }
done
[ ! -L node_modules ] || { echo 'container:check needs a clone of its own: npm ci would empty what the link node_modules leads to'; exit 3; }
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

node=$(command -v node)
npm=$(dirname "$(readlink -f "$(command -v npm)")")/..
base=localhost/crawl-optimizer-base
if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  debootstrap --variant=minbase --include=ca-certificates,libstdc++6 "${DEBIAN_SUITE:-bookworm}" "$work/root"
  cp "$(readlink -f "$node")" "$work/root/usr/local/bin/node"
  mkdir -p "$work/root/usr/local/lib/node_modules"
  cp -rL "$npm" "$work/root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$work/root" /
  buildah commit --quiet "$container" "$base"
  buildah rm "$container"
fi

# The build's own steps have no network here: packages come from the npm cache, which `npm ci` has filled.
npm ci --prefer-offline >/dev/null
buildah build --format docker --build-arg BASE_IMAGE="$base" --build-arg NPM_CI_FLAGS=--offline -v "$HOME/.npm:/root/.npm" -t crawl-optimizer .
container=$(buildah from crawl-optimizer)
trap 'rm -rf "$work"; buildah rm "$container" >/dev/null 2>&1 || true' EXIT
echo "user: $(buildah run "$container" -- id -u)"
compiled=$(buildah run "$container" -- sh -c 'find node_modules/.cache/compiled -type f -user "$(id -u)" | wc -l')
[ "$compiled" -gt 20 ] || { echo "only $compiled files of compiled code are this user's"; exit 1; }
echo "compiled code: $compiled files"
port=18080
buildah run --env PORT="$port" "$container" -- node dist/server.js >"$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do
  if curl --fail --silent "http://127.0.0.1:$port/health/ready"; then break; fi
  sleep 0.2
done
echo
curl --fail --silent -H 'content-type: application/json' --data @examples/inria-crawler.json "http://127.0.0.1:$port/v1/crawler-count" | head -c 300
echo
buildah run --env PORT="$port" "$container" -- node -e 'fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1))'
echo "healthcheck: ok"
# buildah does not pass signals on: the service is a descendant of this one process, above its workers, and is ended by
# its id.
descendant=$server
while child=$(ps -o pid= --ppid "$descendant" | head -n 1 | tr -d ' ') && [ -n "$child" ]; do
  descendant=$child
  [[ $(ps -o args= -p "$descendant") =~ ^([^ ]*/)?node\ dist/server\.js$ ]] && break
done
kill -TERM "$descendant"
wait "$server" || true
buildah images | grep crawl-optimizer
echo 'container:check passed'

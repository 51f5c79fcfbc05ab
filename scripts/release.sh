#!/usr/bin/env bash
# Packs the package, tries the packed file in empty folders, and with --publish publishes it with provenance.
# Provenance needs a CI that npm knows (GitHub Actions, GitLab) with an identity token, and package.json's `repository`.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -z "$(git status --porcelain)" ] || { echo 'release: commit first'; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" >/dev/null
file=$(ls "$work"/*.tgz)
npm sbom --omit=dev --package-lock-only --sbom-format cyclonedx >"$work/sbom.json"
# Every Node that is named in NODES (paths to its binary), otherwise the one at hand.
for node in ${NODES:-$(command -v node)}; do
  folder=$(mktemp -d "$work/user.XXXXXX")
  (
    cd "$folder"
    PATH="$(dirname "$node"):$PATH"
    echo "Node $("$node" --version)"
    npm install --silent --engine-strict "$file"
    npx crawl-optimizer crawler-count --example | npx crawl-optimizer crawler-count | grep -q '"status":"optimal"'
  )
done
if [ "${1:-}" != --publish ]; then
  echo 'release: the packed file works; --publish publishes it'
  exit 0
fi
node -e 'process.exit(require("./package.json").repository ? 0 : 1)' ||
  { echo 'release: package.json names no repository, which provenance needs'; exit 1; }
npm publish --provenance --access public "$file"

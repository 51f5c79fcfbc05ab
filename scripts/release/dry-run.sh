#!/usr/bin/env bash
# Makes everything that would be published, and has each registry's own tool look at it; publishes nothing.
# Needs npm; python3 with build and twine, mvn: what is missing is said, and left out. usage: scripts/release/dry-run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

node scripts/release/manifests.ts --check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm publish --dry-run --ignore-scripts >"$work/npm" 2>&1 || { cat "$work/npm"; exit 1; }
grep -E 'name:|version:|total files' "$work/npm"

node scripts/release/site.ts "$work/site"
ls "$work/site/index.html"

if python3 -c 'import build, twine' 2>/dev/null; then
  # a package builds in its folder: copies keep the clone as it is, with what the client is made from in its place
  mkdir "$work/openapi" && cp openapi/openapi.json "$work/openapi"
  for project in clients/python integrations/scrapy integrations/changedetection; do
    mkdir -p "$work/$(dirname "$project")" && cp -r "$project" "$work/$project"
    python3 -m build --outdir "$work/dist" "$work/$project" >"$work/build" 2>&1 || { cat "$work/build"; exit 1; }
  done
  python3 -m twine check --strict "$work"/dist/*
else
  echo 'dry-run: no Python packages: python3 has no build and twine'
fi

if command -v mvn >/dev/null; then
  for project in clients/java/price integrations/nutch integrations/stormcrawler integrations/urlfrontier; do
    mvn -q -B -f "$project/pom.xml" -Prelease -DskipTests verify
    ls "$project"/target/*-sources.jar "$project"/target/*-javadoc.jar
  done
else
  echo 'dry-run: no jars: there is no mvn'
fi

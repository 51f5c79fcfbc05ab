#!/usr/bin/env bash
# Builds the image with Docker or buildah and writes its bill of materials (CycloneDX) beside it; with Docker's buildx the
# bill is also attached to the image, with the provenance of the build. usage: scripts/image.sh [tag] [folder]
set -euo pipefail
cd "$(dirname "$0")/.."

tag=${1:-crawl-optimizer:$(node -p 'require("./package.json").version')}
folder=${2:-artefacts}
mkdir -p "$folder"
npm sbom --omit=dev --package-lock-only --sbom-format cyclonedx >"$folder/sbom.cdx.json"
npm sbom --omit=dev --package-lock-only --sbom-format spdx >"$folder/sbom.spdx.json"
if command -v docker >/dev/null && docker buildx version >/dev/null 2>&1; then
  docker buildx build --sbom=true --provenance=mode=max --output "type=oci,dest=$folder/image.tar" --tag "$tag" .
elif command -v buildah >/dev/null; then
  buildah build --format docker --tag "$tag" .
else
  echo 'image needs docker or buildah: the bills of materials are written, no image is built'
  exit 3
fi

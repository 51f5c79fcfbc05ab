#!/usr/bin/env bash
# Builds the kustomization and its overlays with kubectl, and validates every object against Kubernetes' own schemas
# (the npm package kubernetes-models, made from the published OpenAPI documents). Needs kubectl and a package registry.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v kubectl >/dev/null || { echo 'kubernetes:check needs kubectl: not tried'; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --no-save --prefix "$work" kubernetes-models@5 yaml@2
for folder in deploy/kubernetes/base deploy/kubernetes/overlays/*; do
  kubectl kustomize "$folder" >"$work/built.yaml"
  node scripts/kubernetes-check.ts "$work" "$folder"
done
echo 'kubernetes:check passed'

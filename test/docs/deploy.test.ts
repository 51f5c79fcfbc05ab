/** What operators start from: the images' bases are pinned, the settings are those of the service, nobody is called. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const kubernetes = readFileSync('deploy/kubernetes.yaml', 'utf8');

it.each(['Dockerfile', 'integrations/changedetection/Dockerfile', 'integrations/miniflux/Dockerfile'])(
  '%s pins its base by a digest',
  (file) => {
    const bases = Array.from(readFileSync(file, 'utf8').matchAll(/^ARG \w+_IMAGE=(.*)$/gm), ([, base]) => base);
    expect(bases).toEqual([expect.stringMatching(/^[\w.:-]+@sha256:[0-9a-f]{64}$/)]);
  },
);

it('the settings of deploy are settings of the service', () => {
  const compose = readFileSync('deploy/docker-compose.yml', 'utf8');
  const named = [...(kubernetes + compose).matchAll(/(?:name: |^ {6})([A-Z][A-Z_]+)\b/gm)].map(([, name]) => name);
  expect(named).toContain('WORKER_MEMORY_MB');
  const configuration = readFileSync('docs/configuration.md', 'utf8');
  expect(named.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
});

it('the pods take requests and call nobody', () => {
  const policy = kubernetes.split('\n---\n').find((document) => document.includes('\nkind: NetworkPolicy\n'));
  expect(policy).toMatch(/^ {2}ingress:\n {4}- ports:\n {8}- \{ port: http, protocol: TCP \}\n {2}egress: \[\]$/m);
});

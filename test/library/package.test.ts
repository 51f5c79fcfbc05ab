import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { loadOperation } from '../../src/operations/load.ts';

interface Package {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

describe('an install of the package', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const entries: [string, Package][] = Object.entries(packages);

  it('names what the service runs on, as audits and bills of materials read it, and nothing of OpenTelemetry', () => {
    const installed = entries
      .filter(([name, { dev, optional }]) => name !== '' && !dev && !optional)
      .map(([name]) => name);
    for (const name of ['fastify', 'pino', 'prom-client', 'zod']) expect(installed).toContain(`node_modules/${name}`);
    // prom-client brings its interface, and nothing that sends.
    expect(installed.filter((name) => /otel|opentelemetry/.test(name))).toEqual(['node_modules/@opentelemetry/api']);
  });

  it('has no package that warns of its engine on Node 22 or 24, development included', () => {
    const refusing = entries.filter(
      ([, { engines, dev, optional }]) =>
        !(dev && optional) && ['22.12.0', '24.0.0'].some((version) => !satisfies(version, engines?.node ?? '*')),
    );
    expect(refusing.map(([name, { version, engines }]) => `${name} ${version}: ${engines?.node}`)).toEqual([]);
  });
});

describe('loadOperation', () => {
  it('finds every operation in the file that its path names', async () => {
    for (const { name } of operations) expect((await loadOperation(name))?.name).toBe(name);
  });

  it('has no operation for names that are none, or that lead elsewhere', async () => {
    for (const name of ['', 'load', 'operation', 'index', '../app', 'estimates', 'no-such', 'estimates/no-such']) {
      expect(await loadOperation(name)).toBeUndefined();
    }
  });
});

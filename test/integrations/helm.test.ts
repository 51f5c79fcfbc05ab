/** The Helm chart, rendered by Helm's own engine, beside the kustomization. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const program = resolve('artefacts/helm/render');
const chart = resolve('deploy/helm');

/** Builds the program where it is not built yet; what is missing, or null. */
function build(): string | null {
  if (existsSync(program)) return null;
  if (process.env.BUILD_HELM === undefined) return "Helm's engine is not built; BUILD_HELM=1 builds it, in minutes";
  const built = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: resolve('test/integrations/helm'),
    encoding: 'utf8',
  });
  return built.status === 0
    ? null
    : `Helm's engine cannot be built: ${built.error?.message ?? built.stderr.slice(-200)}`;
}
const missing = build();
if (missing !== null) console.log(`the Helm chart is skipped: ${missing}`);

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly object[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template?: { readonly spec: { readonly containers: readonly [Container] } } };
}

const render = (...words: string[]): readonly Manifest[] =>
  execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe' })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

function containerOf(manifests: readonly Manifest[]): Container {
  const template = manifests.find(({ kind }) => kind === 'Deployment')?.spec.template;
  if (template === undefined) throw new Error('no Deployment');
  return template.spec.containers[0];
}

describe.skipIf(missing !== null)('the Helm chart', () => {
  it('makes the objects of the kustomization, by its own values', () => {
    const kinds = ['autoscaler', 'deployment', 'disruption-budget', 'network-policy', 'service'];
    const base = kinds.flatMap((name) => render(resolve(`deploy/kubernetes/base/${name}.yaml`)));
    const rendered = render(chart);
    expect(rendered.map(({ kind }) => kind)).toEqual(base.map(({ kind }) => kind));
    // the settings are a map in the chart, so their order is that of their names
    const settings = containerOf(base).env.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(containerOf(rendered).env).toEqual(settings);
    const withoutSettings = (manifests: readonly Manifest[]): unknown =>
      JSON.parse(JSON.stringify(manifests, (name, value: unknown) => (name === 'env' ? undefined : value)));
    expect(withoutSettings(rendered)).toEqual(withoutSettings(base));
  });

  it('takes a digest, a secret and other settings, and leaves out what is switched off', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const rendered = render(
      chart,
      `image.digest=${digest}`,
      'secret=keys',
      'environment.LOG_LEVEL=warn',
      'autoscaling.enabled=false',
      'networkPolicy.enabled=false',
    );
    expect(rendered.map(({ kind }) => kind)).toEqual(['Deployment', 'PodDisruptionBudget', 'Service']);
    const { image, env, envFrom } = containerOf(rendered);
    expect(image).toBe(`crawl-optimizer@${digest}`);
    expect(env).toContainEqual({ name: 'LOG_LEVEL', value: 'warn' });
    expect(env).toContainEqual({ name: 'WORKER_MEMORY_MB', value: '1024' });
    expect(envFrom).toEqual([{ secretRef: { name: 'keys' } }]);
  });

  it('refuses a value that it does not know', () => {
    expect(() => render(chart, 'replica=3')).toThrow(/replica/);
    expect(() => render(chart, 'image.digest=latest')).toThrow(/digest/);
    // a number would be written as 5e+08
    expect(() => render(chart, 'environment.IN_FLIGHT_BYTES=500000000')).toThrow(/want string/);
  });
});

/** What would be published says the same version everywhere, and what registries ask for. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentAt, followed, lines } from '../../scripts/release/documents.ts';
import { behind, mavenProjects, pythonProjects, readRelease } from '../../scripts/release/manifests.ts';

describe('the manifests of a release', () => {
  const { version, release } = readRelease();

  it('are in step with package.json and release.json', () => {
    expect(behind().map(({ file }) => file)).toEqual([]);
    for (const project of pythonProjects) {
      expect(readFileSync(`${project}/pyproject.toml`, 'utf8'), project).toContain(`version = "${version}"`);
    }
    for (const project of mavenProjects) {
      expect(readFileSync(`${project}/pom.xml`, 'utf8'), project).toContain(`<version>${version}</version>`);
    }
  });

  it('have what registries ask for', () => {
    for (const project of pythonProjects) {
      const text = readFileSync(`${project}/pyproject.toml`, 'utf8');
      for (const field of ['description', 'readme', 'license', 'authors', 'classifiers', 'requires-python']) {
        expect(text, `${project}: ${field}`).toMatch(new RegExp(`^${field} = `, 'm'));
      }
    }
    for (const project of mavenProjects.filter((each) => each !== 'clients/java')) {
      const text = readFileSync(`${project}/pom.xml`, 'utf8');
      for (const field of [
        '<name>',
        '<description>',
        '<licenses>',
        '<developers>',
        'maven-source-plugin',
        'maven-javadoc-plugin',
      ]) {
        expect(text, `${project}: ${field}`).toContain(field);
      }
    }
  });

  it('pin the base of every image by its digest', () => {
    for (const file of ['Dockerfile', 'integrations/changedetection/Dockerfile', 'integrations/miniflux/Dockerfile']) {
      const bases = Array.from(readFileSync(file, 'utf8').matchAll(/^ARG \w+_IMAGE=(.*)$/gm), ([, base]) => base);
      expect(bases, file).toHaveLength(1);
      expect(bases[0], file).toMatch(/^[\w.:-]+@sha256:[0-9a-f]{64}$/);
    }
  });

  it('let a cluster send the service nothing but requests, and the service call nobody', () => {
    const base = 'deploy/kubernetes/base';
    expect(readFileSync(`${base}/kustomization.yaml`, 'utf8')).toMatch(/^\s+- network-policy\.yaml$/m);
    for (const file of [`${base}/network-policy.yaml`, 'deploy/helm/templates/network-policy.yaml']) {
      const text = readFileSync(file, 'utf8');
      expect(text, file).toMatch(/^kind: NetworkPolicy$/m);
      expect(text, file).toMatch(/^ {2}policyTypes: \[Ingress, Egress\]$/m);
      expect(text, file).toMatch(/^ {2}ingress:\n {4}- ports:\n {8}- \{ port: http, protocol: TCP \}$/m);
    }
    expect(readFileSync(`${base}/network-policy.yaml`, 'utf8')).toMatch(/^ {2}egress: \[\]$/m);
  });

  it('tell nobody to fetch what is not published', () => {
    const documents = followed('');
    expect(documents.length).toBeGreaterThan(20);
    const fetches = {
      npm: /^(?:npx|npm (?:install|i)(?: -g| --global)?) (?:-y )?crawl-optimizer/m,
      pypi: /pip install (?:crawl-optimizer|scrapy-crawl-optimizer)/,
    };
    for (const file of documents) {
      const text = readFileSync(file, 'utf8');
      for (const [registry, pattern] of Object.entries(fetches)) {
        if (!Reflect.get(release.published, registry))
          expect(text, `${file} fetches from ${registry}`).not.toMatch(pattern);
      }
    }
  });

  it('are switched on in one place: what is published is fetched, and modules have the path of the source', () => {
    const published = { npm: true, pypi: true, maven: true, image: true, site: true };
    const repository = 'https://source.example/owner/crawl-optimizer';
    const texts = new Map(
      behind({ version: '1.2.3', release: { repository, published } }).map(({ file, text }) => [file, text]),
    );
    const documents = followed('');
    for (const { inClone } of lines) {
      const found = documents.filter((file) => readFileSync(file, 'utf8').match(inClone) !== null);
      expect(found.length, `no document has ${inClone}`).toBeGreaterThan(0);
    }
    for (const file of documents) {
      const text = texts.get(file) ?? readFileSync(file, 'utf8');
      expect(text, file).not.toMatch(/npm pack|pip install '?\.\/|-0\.1\.0\.(tgz|jar)/);
    }
    expect(texts.get('integrations/scrapy/README.md')).toMatch(/^pip install scrapy-crawl-optimizer /m);
    expect(texts.get('docs/command-line.md')).toMatch(/^npm install --global crawl-optimizer$/m);
    expect(texts.get('clients/go/go.mod')).toMatch(/^module source\.example\/owner\/crawl-optimizer\/clients\/go$/m);
    const modules = ['clients/go/go.mod', 'integrations/miniflux/go.mod', 'integrations/miniflux/by_price.go'];
    for (const file of modules) expect(texts.get(file), file).not.toContain('crawl-optimizer.example');
    // each registry by itself
    const readme = readFileSync('integrations/changedetection/README.md', 'utf8');
    const npm = documentAt(readme, '1.2.3', { npm: true, pypi: false, maven: false });
    expect(npm).toMatch(/`npm install --global crawl-optimizer`\./);
    expect(npm).toMatch(/^pip install \.\/integrations\/changedetection /m);
  });
});

/**
 * The manifests of everything that is published, and the one place that a release is switched on in: release.json.
 *
 *   node scripts/release/manifests.ts            writes version and repository into every manifest
 *   node scripts/release/manifests.ts --check    ends with 1 where one is behind
 *
 * The version is package.json's. `repository` is the URL of the source, null until there is one; the Go modules have
 * their paths from it. What `published` has as false no document tells people to fetch, and the release workflow does not
 * publish. Once it is true the documents' lines change too (documents.ts).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documentAt, followed } from './documents.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const pythonProjects = ['clients/python', 'clients/python/price', 'integrations/scrapy', 'integrations/changedetection'] as const;
export const mavenProjects = [
  'clients/java',
  'clients/java/price',
  'integrations/nutch',
  'integrations/stormcrawler',
  'integrations/stormcrawler/3.x',
  'integrations/urlfrontier',
] as const;

export const goModules = ['clients/go', 'integrations/miniflux'] as const;

export interface Release {
  readonly repository: string | null;
  readonly published: Readonly<Record<'npm' | 'pypi' | 'maven' | 'image' | 'site', boolean>>;
}

export function readRelease(): { readonly version: string; readonly release: Release } {
  const { version }: { version: string } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return { version, release: JSON.parse(readFileSync(`${root}release.json`, 'utf8')) };
}

/** Every manifest that says another version or repository, with the text it should have. */
export function behind({ version, release } = readRelease()): { readonly file: string; readonly text: string }[] {
  const { repository } = release;
  const found: { file: string; text: string }[] = [];
  const compare = (file: string, write: (text: string) => string): void => {
    const text = readFileSync(`${root}${file}`, 'utf8');
    const written = write(text);
    if (written !== text) found.push({ file, text: written });
  };
  if (repository !== null) {
    compare('package.json', (text) => {
      const { repository: before, ...rest } = JSON.parse(text);
      const url = `git+${repository}.git`;
      return before?.url === url ? text : `${JSON.stringify({ ...rest, repository: { type: 'git', url } }, null, 2)}\n`;
    });
  }
  if (repository !== null) {
    const path = repository.replace(/^\w+:\/\//, '').replace(/\.git$/, '');
    for (const module of goModules) {
      for (const file of readdirSync(`${root}${module}`, { recursive: true, encoding: 'utf8' })) {
        if (!/(\.go|^go\.mod)$/.test(file)) continue;
        compare(`${module}/${file}`, (text) =>
          text
            .replaceAll('crawl-optimizer.example/client', `${path}/clients/go`)
            .replaceAll('crawl-optimizer.example/miniflux', `${path}/integrations/miniflux`),
        );
      }
    }
  }
  const licence = readFileSync(`${root}LICENSE`, 'utf8');
  // a wheel and a module have what lies in their folders
  for (const project of [...pythonProjects, ...goModules]) compare(`${project}/LICENSE`, () => licence);
  for (const file of followed(root)) compare(file, (text) => documentAt(text, version, release.published));
  compare('deploy/helm/Chart.yaml', (text) => text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  for (const project of pythonProjects) {
    compare(`${project}/pyproject.toml`, (text) => {
      const versioned = text.replace(/^version = ".*"$/m, `version = "${version}"`);
      if (repository === null || versioned.includes('[project.urls]')) return versioned;
      return versioned.replace(
        /^\[tool\.setuptools\]$/m,
        `[project.urls]\nSource = "${repository}"\n\n[tool.setuptools]`,
      );
    });
  }
  for (const project of mavenProjects) {
    compare(`${project}/pom.xml`, (text) => {
      const versioned = text.replace(
        /(<artifactId>crawl-optimizer[\w-]*<\/artifactId>\s*<version>)[^<]*/,
        `$1${version}`,
      );
      if (repository === null || versioned.includes('<scm>')) return versioned;
      const scm = `  <url>${repository}</url>\n  <scm>\n    <url>${repository}</url>\n  </scm>\n`;
      return versioned.replace(/^ {2}<licenses>$/m, `${scm}  <licenses>`);
    });
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = behind();
  for (const { file, text } of found) {
    console.log(`${file} is behind`);
    if (!process.argv.includes('--check')) writeFileSync(`${root}${file}`, text);
  }
  process.exitCode = found.length > 0 && process.argv.includes('--check') ? 1 : 0;
}

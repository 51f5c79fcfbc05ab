/**
 * What documents tell readers to fetch. As long as a registry has nothing of ours their lines start from a clone. Once
 * release.json says that it has, each line here takes the place of those that it matches.
 */
import { readdirSync } from 'node:fs';

export interface Published {
  readonly npm: boolean;
  readonly pypi: boolean;
  readonly maven: boolean;
}

interface Line {
  readonly registry: keyof Published;
  readonly inClone: RegExp;
  readonly fetched: string;
}

/** As Markdown breaks lines: where a blank stands there may be a line's end. */
const words = (text: string): RegExp => new RegExp(text.replaceAll(' ', '\\s+'), 'g');

export const lines: readonly Line[] = [
  {
    registry: 'npm',
    inClone: words('`npm pack && npm install --global \\./crawl-optimizer-[\\d.]+\\.tgz` in a clone\\.'),
    fetched: '`npm install --global crawl-optimizer`.',
  },
  {
    registry: 'npm',
    inClone: /^npm pack && npm install --global \.\/crawl-optimizer-[\d.]+\.tgz$/gm,
    fetched: 'npm install --global crawl-optimizer',
  },
  {
    registry: 'npm',
    inClone: words('To have it as `crawl-optimizer` in any folder, pack and install it once:'),
    fetched: 'To have it as `crawl-optimizer` in any folder, install it once:',
  },
  {
    registry: 'npm',
    inClone:
      /^npm pack +# in the clone\nnpm install \/path\/to\/clone\/crawl-optimizer-[\d.]+\.tgz +# in your project$/gm,
    fetched: 'npm install crawl-optimizer',
  },
  {
    registry: 'pypi',
    inClone: /^pip install \.\/integrations\/scrapy +# in a clone; (.*)$/gm,
    fetched: 'pip install scrapy-crawl-optimizer          # $1',
  },
  {
    registry: 'pypi',
    inClone: /^pip install \.\/integrations\/changedetection +# in a clone; (.*)$/gm,
    fetched: 'pip install crawl-optimizer-changedetection       # $1',
  },
  {
    registry: 'pypi',
    inClone: /^pip install '\.\/clients\/python\[pandas\]' +# in a clone; (.*)$/gm,
    fetched: "pip install 'crawl-optimizer-client[pandas]'        # $1",
  },
  {
    registry: 'maven',
    inClone:
      /^mvn -q package && cp target\/(crawl-optimizer-nutch)-([\d.]+)\.jar "\$NUTCH_HOME\/lib\/"(?: +# in a clone)?$/gm,
    fetched: 'mvn -q dependency:copy -Dartifact=org.crawloptimizer:$1:$2 -DoutputDirectory="$NUTCH_HOME/lib"',
  },
];

/** A document at a version, with the lines of what is published. */
export function documentAt(text: string, version: string, published: Published): string {
  const versioned = text.replace(/(crawl-optimizer(?:-[a-z]+)*-)\d+\.\d+\.\d+(\.(?:tgz|jar))/g, `$1${version}$2`);
  return lines
    .filter(({ registry }) => published[registry])
    .reduce((rest, { inClone, fetched }) => rest.replace(inClone, fetched), versioned);
}

/** The documents that readers follow. */
export function followed(root: string): string[] {
  return ['docs', 'integrations', 'clients']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .concat('README.md')
    .filter((file) => /^(README\.md|docs\/.*\.md|(integrations|clients)\/[\w-]+\/README\.md)$/.test(file));
}

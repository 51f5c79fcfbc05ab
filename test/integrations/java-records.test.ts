/** The Java records of the OpenAPI document: compiled by a JDK, they make requests that fit, and hold every answer. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../openapi/openapi.json' with { type: 'json' };
import { javaPackage, javaRecords } from '../../scripts/java-records/records.ts';
import { exampleAnswer } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { isRecord } from '../../src/schemas/table/table-reading.ts';

const asked = ['crawl-plan', 'estimates/change-rates', 'crawl-schedule'];

/** Records came with Java 16. */
const javacVersion = /javac (\d+)/.exec(spawnSync('javac', ['-version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
const noJdk = Number(javacVersion ?? 0) < 16;
if (noJdk) console.log('the records for Java are skipped: no javac of Java 16 or later');

function operationNamed(name: string): Operation {
  const found = operations.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

/** The places of an answer for which the records have no name; tables are looked at where they come as rows. */
function homeless(value: unknown, names: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((item) => homeless(item, names, place));
  if (!isRecord(value) || !isRecord(names)) return [];
  // A table that was asked by columns comes by columns, for which the records are not.
  if (place.endsWith('/pages') && Object.values(value).every(Array.isArray)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name in names ? homeless(inner, names[name], `${place}/${name}`) : [`${place}/${name}`],
  );
}

describe.skipIf(noJdk)('the records for Java', () => {
  const folder = mkdtempSync(join(tmpdir(), 'java-records-'));
  let lines: unknown[] = [];

  beforeAll(() => {
    const sources = join(folder, ...javaPackage.split('.'));
    mkdirSync(sources, { recursive: true });
    const files = [...javaRecords(document, asked)].map(([name, text]) => {
      writeFileSync(join(sources, name), text);
      return join(sources, name);
    });
    const words = ['-Xlint:all', '-Werror', '-proc:none', '-d', folder];
    const compiled = spawnSync('javac', [...words, ...files, resolve('test/integrations/java/Ask.java')]);
    expect(String(compiled.stderr)).toBe('');
    const run = spawnSync('java', ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', folder, 'Ask']);
    expect(String(run.stderr)).toBe('');
    lines = String(run.stdout)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('make requests by the names of the wire, without what is left out', () => {
    expect(lines.slice(0, asked.length)).toEqual([
      {
        now: 1760000000,
        interval: 86400,
        crawls: 6,
        objective: 'delay',
        pages: [
          { id: 'https://news.example/', weight: 2, observations: [{ time: 1759900000, status: 200 }] },
          { id: 'https://shop.example/', changeRate: 1e-5 },
        ],
      },
      {
        pages: [
          {
            id: 'a',
            checks: [
              [3600, true],
              [7200, false],
            ],
          },
        ],
      },
      {
        interval: 1,
        pages: [{ id: 'a', changeRate: 2, minCrawls: 1 }],
        crawlers: [{ id: 'north', slots: 3 }],
      },
    ]);
    asked.forEach((name, i) => {
      expect(operationNamed(name).requestSchema.safeParse(lines[i]).success, name).toBe(true);
    });
  });

  it('have a name for everything in the answers of the examples', () => {
    asked.forEach((name, i) => {
      for (const example of operationNamed(name).examples) {
        const answer: unknown = exampleAnswer(example);
        if (!isRecord(answer)) throw new Error(example.name);
        // Its members beside the three that all have are the operation's own.
        const { statistics: _, ...told } = answer;
        expect(homeless(told, lines[asked.length + i], ''), example.name).toEqual([]);
      }
    });
    // What is not there is found.
    expect(homeless({ solution: { pages: [{ colour: 1 }] } }, lines[asked.length], '')).toEqual([
      '/solution/pages/colour',
    ]);
  });
});

describe('the example that asks with generated classes', () => {
  const source = readFileSync('clients/java/src/main/java/org/crawloptimizer/example/CrawlerCount.java', 'utf8');

  it('takes classes that the document names, and sets properties that a request has', () => {
    const schemas: Readonly<Record<string, unknown>> = document.components.schemas;
    const classes = [...source.matchAll(/import org\.crawloptimizer\.model\.(\w+);/g)].map(([, name]) => name);
    expect(classes).toContain('CrawlerCountRequest');
    expect(classes.filter((name) => !(name in schemas))).toEqual([]);
    const request = /new CrawlerCountRequest\(\)([\s\S]*?);/.exec(source)?.[1] ?? '';
    const set = [...request.matchAll(/^\s*\.(\w+)\(|\(\)\.(\w+)\(/gm)].map(([, first, then]) => first ?? then);
    const known = {
      ...document.components.schemas.CrawlerCountRequest.properties,
      ...document.components.schemas.Costs.properties,
    };
    expect(set).toContain('crawlerRate');
    expect(set.filter((name) => !(name in known))).toEqual([]);
  });
});

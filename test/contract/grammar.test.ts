/**
 * The grammar of operations: what each has, so that a stranger finds it where the others have it. An operation that is
 * not yet whole stands in a list of exceptions, which must be empty.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answerJsonSchema, isSchema, type JsonSchema, requestJsonSchema } from '../../src/cli/json-schema.ts';
import { exampleAnswer } from '../../src/examples.ts';
import * as library from '../../src/index.ts';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import { operations } from '../../src/operations/index.ts';
import { faultsOf } from '../certificates/faults-of.ts';

/** The numbers that say no quantity, and the fields without a description. */
function gaps(schema: JsonSchema, path = '', said = false): string[] {
  const found: string[] = [];
  const known = said || 'x-quantity' in schema;
  const numeric =
    (schema.type === 'number' || schema.type === 'integer') && !('const' in schema) && !('enum' in schema);
  if (numeric && !known) found.push(path);
  for (const keyword of ['anyOf', 'oneOf', 'prefixItems']) {
    const forms = schema[keyword];
    if (Array.isArray(forms)) found.push(...forms.filter(isSchema).flatMap((form) => gaps(form, path, known)));
  }
  if (isSchema(schema.items)) found.push(...gaps(schema.items, `${path}[]`, known));
  for (const [name, property] of Object.entries(isSchema(schema.properties) ? schema.properties : {})) {
    if (!isSchema(property)) continue;
    if (property.description === undefined && !('const' in property)) found.push(`${path}/${name} has no description`);
    found.push(...gaps(property, `${path}/${name}`));
  }
  return found;
}

/** Solvers whose folder has another name than their operation. */
const solverOf: Readonly<Record<string, string>> = {
  'estimates/arrival-process': 'estimation',
  'estimates/change-rates': 'estimation',
  'estimates/change-signals': 'change-signals',
  'estimates/embarrassment-weights': 'estimation',
  'estimates/freshness': 'freshness',
  'estimates/host-limits': 'host-limits',
  'estimates/service-time': 'estimation',
  'estimates/update-process': 'estimation',
  'simulations/queue': 'simulation',
};

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  it('has a file of its own, a certificate and a page', () => {
    expect(existsSync(`src/operations/${name}.ts`)).toBe(true);
    expect(existsSync(`src/certificates/${name}.ts`)).toBe(true);
    const page = readFileSync(`docs/${name}.md`, 'utf8');
    for (const mark of [
      '## What to send',
      '<!-- contract:request -->',
      '## What comes back',
      '<!-- contract:answer -->',
    ]) {
      expect(page).toContain(mark);
    }
  });

  it('has a solver that says its problem, solves it, and lists what is public', async () => {
    const folder = solverOf[name] ?? name;
    const index: object = await import(`../../src/solvers/${folder}/index.ts`);
    const definition = readFileSync(`src/operations/${name}.ts`, 'utf8');
    expect(definition).toContain(`/solvers/${folder}/index.ts'`);
    const called = Object.keys(index).filter((each) => /^solve[A-Z]/.test(each) && definition.includes(each));
    expect(called).not.toEqual([]);
    if (!(name in solverOf)) {
      const solver = readFileSync(`src/solvers/${folder}/solve.ts`, 'utf8');
      const word = name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
      // one question and the budget
      expect(solver).toMatch(
        new RegExp(`^export function solve${word}\\((?:\\w+|\\{[^}]*\\}): [^,]+, budget: Budget\\)`, 'm'),
      );
      expect(called).toContain(`solve${word}`);
    }
    const words = (file: string, pattern: RegExp): string[] =>
      [...readFileSync(`src/solvers/${folder}/${file}`, 'utf8').matchAll(pattern)].map(([, word]) => word);
    const said = words('problem.ts', /^export (?:interface|type) (\w+Problem)\b/gm);
    const listed = words('index.ts', /\b(\w+Problem)\b/g);
    expect(listed).not.toEqual([]);
    expect(listed.filter((each) => !said.includes(each))).toEqual([]);
  });

  it('is a function of the library, and verify knows it', () => {
    expect(Object.keys(library)).toContain(name.replace(/[-/](\w)/g, (_, letter) => letter.toUpperCase()));
    expect(faultsOf(name, {}, {}).join()).not.toContain('there is no operation');
    expect(faultsOf(`no-${name}`, {}, {})).toEqual([`there is no operation no-${name}`]);
  });

  it('says every example’s answer in a sentence', () => {
    expect(operation.examples.length).toBeGreaterThanOrEqual(2);
    for (const example of operation.examples) {
      expect(Object(exampleAnswer(example)).summary, example.name).toMatch(/^[A-Z0-9"].*\.$/);
    }
  });

  it('describes every field, and says what each number is', () => {
    expect(gaps(requestJsonSchema(operation.requestSchema))).toEqual([]);
    expect(gaps(answerJsonSchema(operation.answerSchema))).toEqual([]);
  });
});

describe('crawl-plan', () => {
  const { properties = {} } = requestJsonSchema(crawlPlan.requestSchema);

  it('takes at most 15 things at the top, of which how much is fetched is one', () => {
    const howMuch = ['crawls', 'crawlers', 'target'];
    const names = Object.keys(Object(properties));
    expect(names).toEqual(expect.arrayContaining(howMuch));
    expect(names.length - howMuch.length + 1).toBeLessThanOrEqual(15);
  });

  it('takes at most 16 cells a page', () => {
    const [rows] = Object(Object(properties).pages).anyOf;
    expect(Object.keys(rows.items.properties)).toContain('changeRate');
    expect(Object.keys(rows.items.properties).length).toBeLessThanOrEqual(16);
  });
});

/** Where laws are told by name for a reason of their own; nothing is added, and what goes is struck. */
const namesLaws = [
  'src/schemas/parts/distribution.ts',
  'src/schemas/parts/process-columns.ts',
  'src/solvers/estimation/',
];

describe('laws', () => {
  const named = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.startsWith('src/solvers/laws/'))
    .filter((file) =>
      /'(lomax|weibull|lognormal|pareto|hyperexponential|erlang|empirical)'/.test(readFileSync(file, 'utf8')),
    );

  it('are told by name in their own folder, and in the places listed', () => {
    expect(named.filter((file) => !namesLaws.some((place) => file.startsWith(place)))).toEqual([]);
    expect(namesLaws.filter((place) => !named.some((file) => file.startsWith(place)))).toEqual([]);
  });
});

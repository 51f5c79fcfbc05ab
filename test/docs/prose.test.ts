/** The documents are for readers: short sentences, one template for the page of an operation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';

const longest = 25;

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'test/README.md',
  ...['docs', 'examples', 'integrations', 'clients'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/node_modules|target|build/.test(name))
      .map((name) => join(folder, name)),
  ),
  // Both are generated as a whole.
].filter((file) => !['docs/errors.md', 'docs/parts.md'].includes(file));

/** The sentences of a page: without code, tables, headings and what is generated; a link or a name is one word. */
function sentences(markdown: string): string[] {
  return markdown
    .replaceAll(/^```[\s\S]*?^```/gm, '\n\n')
    .replaceAll(/<!-- contract:[\s\S]*?<!-- \/contract -->/g, '\n\n')
    .replaceAll(/^(?:\||#| {4,}[^\s-]).*$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/`[^`]*`/g, 'X')
    .split(/\n\s*\n|\n(?=\s*(?:-|\d+\.)\s)/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?]["”)*]*)\s+(?=[A-Z`*[X"(\d])/));
}

const words = (sentence: string): number => sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

describe('the documents', () => {
  it('are cut into their sentences', () => {
    const found = sentences('One. Two: `a b` and\nthree.\n\n| a table. |\n\n- An item of\n  two lines.\n- Another');
    expect(found.filter((sentence) => words(sentence) > 0)).toEqual([
      'One.',
      'Two: X and three.',
      '- An item of two lines.',
      '- Another',
    ]);
    expect(pages.length).toBeGreaterThan(40);
  });

  it.each(pages)(`%s: no sentence of more than ${longest} words`, (file) => {
    expect(sentences(readFileSync(file, 'utf8')).filter((sentence) => words(sentence) > longest)).toEqual([]);
  });
});

/** What the OpenAPI document says of every field: the text of the tables, of `--help` and of the console too. */
function fieldDescriptions(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'description' in schema && typeof schema.description === 'string' ? [schema.description] : [];
  return [...own, ...Object.values(schema).flatMap(fieldDescriptions)];
}

describe('descriptions of fields', () => {
  it(`are short: none has more than ${longest} words`, () => {
    const { components } = JSON.parse(readFileSync('openapi/openapi.json', 'utf8'));
    const descriptions = new Set(fieldDescriptions(components));
    expect(descriptions.size).toBeGreaterThan(500);
    expect([...descriptions].filter((description) => words(description) > longest)).toEqual([]);
  });
});

/**
 * The sentences of the comments of a file. A formula or a list set off by its indent stands by itself, and the code of
 * an example is no sentence.
 */
function commentSentences(source: string): string[] {
  return [...source.matchAll(/\/\*\*([\s\S]*?)\*\/|((?:^ *\/\/ .*\n)+)/gm)].flatMap(([, comment, lines]) =>
    sentences(
      (comment ?? lines.replaceAll(/^ *\/\//gm, ' *'))
        .replaceAll(/^\s*\* ?/gm, '')
        .replaceAll(/^@example$[^@]*/gm, '')
        .replaceAll(/^ {2,}(?=\S).*$/gm, '\n\n$&\n\n')
        .replaceAll(/^@\w+/gm, '\n\n$&'),
    ),
  );
}

/** A formula is one word as far as operators join it: `a + b = c`, `Σ w·x`, `max_i y`. */
function wordsAndFormulas(sentence: string): number {
  return words(
    sentence
      .replaceAll(/(?<=\S) [=<>≤≥≠≈~+−·×/∈±|] (?=\S)/g, '·')
      .replaceAll(/(?<=^|[\s(·−])(Σ|∫|Π|max|min)(_\S+)? (?=\S)/g, '$1·'),
  );
}

describe('comments', () => {
  const longestInCode = 25;
  const files = ['src', 'bench', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );

  it('are cut into their sentences', () => {
    const found = commentSentences(
      '/**\n * One is\n * here:\n *   f(x) = 1\n * Two.\n *\n * @throws Never\n */\n/** Three. */\n  // Four is\n  // long.\n',
    );
    expect(found.map((each) => each.trim()).filter((each) => words(each) > 0)).toEqual([
      'One is here:',
      'f(x) = 1',
      'Two.',
      '@throws Never',
      'Three.',
      'Four is long.',
    ]);
    expect(wordsAndFormulas('The cost is Σ_i w_i·x_i + p·(a − b) ≤ c − 1, at least.')).toBe(6);
    expect(commentSentences('/**\n * One.\n *\n * @example\n * f(1, 2)\n */').map((each) => each.trim())).toEqual([
      'One.',
      '',
    ]);
    expect(files.length).toBeGreaterThan(1200);
  });

  it(`have no sentence of more than ${longestInCode} words`, () => {
    const long = files.flatMap((file) =>
      commentSentences(readFileSync(file, 'utf8'))
        .filter((sentence) => wordsAndFormulas(sentence) > longestInCode)
        .map((sentence) => `${file}: ${sentence.trim()}`),
    );
    expect(long).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('leads to every page', () => {
    const index = readFileSync('docs/README.md', 'utf8');
    const all = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    expect(all.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
  });
});

describe('the page of an operation', () => {
  const parts = [
    'When to use it, and when not',
    'What to send',
    'What comes back',
    'An example',
    'How it works',
    'Limits',
  ];

  it.each(operations.map(({ name }) => name))('%s has the question first, then its parts in order', (name) => {
    const text = readFileSync(`docs/${name}.md`, 'utf8');
    expect(text.startsWith(`# ${name}\n\n**The question.** `)).toBe(true);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings.filter((heading) => parts.includes(heading))).toEqual(parts);
    expect(text).toMatch(/!\[[^\]]+\]\((?:\.\.\/)*pictures\//);
    expect(text).toMatch(/examples\/[\w.-]+\.json/);
  });
});

/**
 * Writes the site of a release into a folder: the documents as pages, and what they link to.
 *
 *   node scripts/release/site.ts FOLDER
 *
 * Markdown becomes HTML by marked, which comes from npm's registry. A link that leads nowhere ends it with 1. Links to
 * folders lead to the repository, once release.json names it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { readRelease } from './manifests.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/release/site.ts FOLDER');
const root = resolve(import.meta.dirname, '../..');
const { repository } = readRelease().release;

const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const border = (file: string): string => `<!-- page ${file} -->`;
// all of them at once, since each start of the program takes as long as all of its work
const html = execFileSync('npm', ['exec', '--yes', '--package=marked@18', '--', 'marked', '--gfm'], {
  input: files.map((file) => `${border(file)}\n\n${readFileSync(join(root, file), 'utf8')}`).join('\n\n'),
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
const bodies = new Map(
  html
    .split('<!-- page ')
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf(' -->')), part.slice(part.indexOf('-->') + 3)] as const),
);

/** The name of a heading in links, as the places where the documents are read make it. */
const anchor = (heading: string): string =>
  heading
    .replace(/<[^>]*>|&[a-z0-9#]+;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const named = new Map(
  Array.from(bodies, ([file, body]) => [
    file,
    body.replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level, text) => `<h${level} id="${anchor(text)}">${text}</h${level}>`),
  ]),
);
const faults: string[] = [];
const copied = new Set<string>();

/** Where a link of a document leads on the site. */
function linked(file: string, link: string): string {
  if (/^[a-z]+:/.test(link)) return link;
  const [path, part] = link.split('#');
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  const page = named.get(target);
  if (page !== undefined) {
    if (part !== undefined && !page.includes(`id="${part}"`)) faults.push(`${file}: ${link} names no heading`);
    return link.replace(/\.md(?=#|$)/, '.html');
  }
  const source = join(root, target);
  if (!existsSync(source)) faults.push(`${file}: ${link} is not there`);
  else if (statSync(source).isFile()) copied.add(target);
  else return repository === null ? link : `${repository}/tree/HEAD/${posix.normalize(target)}`;
  return link;
}

const style =
  'body{max-width:50em;margin:2em auto;padding:0 1em;font:1rem/1.5 sans-serif}pre,table{overflow-x:auto}img{max-width:100%}';
for (const [file, body] of named) {
  const [, title = file] = /<h1[^>]*>(.*?)<\/h1>/s.exec(body) ?? [];
  const text = body.replace(/ (href|src)="([^"]*)"/g, (_, name, link) => ` ${name}="${linked(file, link)}"`);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title.replace(/<[^>]*>/g, '')}</title><style>${style}</style>`;
  const page = join(folder, file.replace(/\.md$/, '.html'));
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, `<!doctype html><html lang="en"><head>${head}</head><body>${text}</body></html>\n`);
}
copyFileSync(join(folder, 'README.html'), join(folder, 'index.html'));
for (const file of copied) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  copyFileSync(join(root, file), join(folder, file));
}
for (const fault of faults) console.error(fault);
console.log(`${named.size} pages and ${copied.size} other files`);
process.exitCode = faults.length > 0 || named.size !== files.length ? 1 : 0;

/** A README followed by its letter: its own code blocks, run as they stand but for what is named. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The code blocks of a language below a heading (the beginning of the document without one), up to the next. */
export function blocks(file: string, heading: string | null, language: string): string[] {
  const text = readFileSync(file, 'utf8');
  const parts = text.split(/^## /m);
  const part = heading === null ? parts[0] : parts.find((each) => each.startsWith(`${heading}\n`));
  if (part === undefined) throw new Error(`${file} has no part ${heading}`);
  return Array.from(part.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')), ([, code]) => code);
}

/** Replaces what a reader would: each text must be there. */
export function withOwn(code: string, own: Readonly<Record<string, string>>): string {
  let text = code;
  for (const [said, put] of Object.entries(own)) {
    if (!text.includes(said)) throw new Error(`no ${said} in\n${text}`);
    text = text.replaceAll(said, put);
  }
  return text;
}

export interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs commands as a user would, each line shown before what it prints; throws where one fails. */
export async function follow(commands: string, { folder, env }: Place, quiet = false): Promise<string> {
  if (!quiet) console.log(commands.trimEnd().replace(/^/gm, '$ '));
  const child = spawn('bash', ['-ec', commands], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((done) => child.on('close', done));
  if (!quiet || code !== 0) console.log(said.trimEnd().split('\n').slice(-6).join('\n'));
  if (code !== 0) throw new Error(`ended with ${code}: ${commands}`);
  return said;
}

const run = (program: string, words: readonly string[], cwd: string): void => {
  const { status, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
};

/** Packs the clone into a folder. */
export function pack(clone: string, folder: string): void {
  run('npm', ['pack', '--silent', '--pack-destination', folder], clone);
}

/** What was packed, in an empty folder: its documents and integrations, and `crawl-optimizer` on the path. */
export function unpacked(from: string, work: string): Place {
  const commands = `cp ${from}/*.tgz . && tar xf ./*.tgz && npm install --silent --global --prefix global ./*.tgz`;
  run('bash', ['-ec', commands], work);
  return { folder: `${work}/package`, env: { ...process.env, PATH: `${work}/global/bin:${process.env.PATH}` } };
}

export function check(holds: boolean, what: string): void {
  console.log(`${holds ? 'holds' : 'FAILS'}: ${what}`);
  if (!holds) process.exitCode = 1;
}

/** Whether a crawl log of a site (site.ts) tells the page that changes from the one that does not. */
export function checkVersions(log: string): void {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const versions = (path: string): number =>
    new Set(lines.filter((line) => line.includes(`${path}"`)).map((line) => JSON.parse(line).signature)).size;
  const [changing, still] = [versions('/every/5'), versions('/every/100000')];
  check(changing > 2 && still === 1, `versions in the log: ${changing} and ${still}`);
}

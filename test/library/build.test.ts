import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAtExit } from '../service/spawned-server.ts';
import { readyStatus } from '../service/test-service.ts';

const run = promisify(execFile);
const environment = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` };
const request = readFileSync('examples/inria-crawler.json', 'utf8');

const limits = { WORKERS: '1', MAX_EVENT_LOOP_DELAY_MS: '0' };

async function serve(): Promise<{ server: ChildProcess; url: string }> {
  const server = killAtExit(
    spawn(process.execPath, ['dist/server.js'], {
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', NODE_DISABLE_COMPILE_CACHE: '1', ...limits },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let url = '';
  for await (const line of createInterface({ input: server.stdout })) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
    if (url !== '') break;
  }
  server.stdout.resume();
  return { server, url };
}

async function end(server: ChildProcess): Promise<void> {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
}

/** Runs a module as a user of the package would write it; its own name leads to dist. */
async function asUser(code: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
  return JSON.parse(stdout);
}

describe('the package as npm run build makes it', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.ts'], { env: environment, stdio: 'pipe' });
  });

  afterAll(() => rmSync('artefacts/typed-user', { recursive: true, force: true }));

  it('answers as a library, without loading a server or a worker pool, and lets the process end', async () => {
    const answer = await asUser(`
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { crawlerCount } = await import('crawl-optimizer');
      const { status, solution } = crawlerCount(${request});
      const servers = loaded.filter((url) => /node_modules.(fastify|pino|prom-client|@fastify)/.test(url));
      console.log(JSON.stringify({ status, crawlers: solution.crawlers, servers }));
    `);
    expect(answer).toEqual({ status: 'optimal', crawlers: 10, servers: [] });
  });

  it('has types that a strict TypeScript project compiles against, and that catch a misspelt property', async () => {
    const folder = 'artefacts/typed-user';
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: ['node'] };
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['user.ts'] }));
    writeFileSync(`${folder}/package.json`, JSON.stringify({ type: 'module', private: true }));
    mkdirSync(`${folder}/node_modules`);
    symlinkSync(process.cwd(), `${folder}/node_modules/crawl-optimizer`);
    writeFileSync(
      `${folder}/user.ts`,
      `import { type AnswerOf, crawlerCount, ProblemError, type RequestOf } from 'crawl-optimizer';
       const request: RequestOf<typeof crawlerCount> = ${request};
       const answer: AnswerOf<typeof crawlerCount> = crawlerCount(request, { onProgress: ({ fraction }) => fraction });
       export const crawlers: number | undefined = answer.solution?.crawlers;
       // @ts-expect-error the property is crawlerRate
       crawlerCount({ ...request, crawlerRat: 1 });
       // @ts-expect-error a number, not a text
       export const text: string = answer.solution!.crawlers;
       export const failure: unknown = new ProblemError({ type: '', title: '', status: 422, detail: '' }).errors;`,
    );
    const { stdout } = await run('tsc', ['-p', folder], { env: environment }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  it('answers on the command line', async () => {
    const { stdout } = await run('sh', ['-c', 'dist/cli.js crawler-count --example | dist/cli.js crawler-count'], {
      env: { ...environment, PATH: `${process.execPath.replace(/\/node$/, '')}:${environment.PATH}` },
    });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'optimal', solution: { crawlers: 10 } });
  });

  it('packs into less than 3 MB, with everything that its documents link to but pictures', () => {
    const words = ['pack', '--dry-run', '--ignore-scripts', '--json'];
    const listed: unknown = JSON.parse(
      execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    // npm lists an array of packages, or from version 12 on an object by name.
    const [{ size, files }] = Object.values(listed as Record<string, { size: number; files: { path: string }[] }>);
    expect(size).toBeLessThan(3e6);
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith('openapi.json'))).toHaveLength(1);
    const documents = paths.filter((path) => path.endsWith('.md'));
    expect(documents).toContain('README.md');
    expect(documents.length).toBeGreaterThan(10);
    const missing = documents.flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
        .map(([, target]) => normalize(join(dirname(document), target)))
        .filter((target) => !paths.includes(target) && !target.startsWith('docs/pictures/'))
        .filter((target) => !paths.some((path) => path.startsWith(`${target.replace(/\/$/, '')}/`)))
        .map((target) => `${document} → ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('begins without any package that an install does not bring', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const missing = new Set<string>();
    for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.js') || /^(app\.|console|documents|http|routes|service-generate-document)/.test(name))
        continue;
      const text = readFileSync(`dist/${name}`, 'utf8');
      for (const [, from] of text.matchAll(/\b(?:from|require\()\s*["']((?:@[\w-]+\/)?[\w-]+)[\w./-]*["']/g)) {
        // ajv writes such lines as the text of the code that it makes.
        if (from in devDependencies && from !== 'ajv') missing.add(`${name}: ${from}`);
      }
    }
    expect([...missing]).toEqual([]);
  });

  it('serves the operations and the console it was built with, also to a caller that has closed its half', async () => {
    const { server, url } = await serve();
    const body = readFileSync('examples/slot-assignment.json', 'utf8');
    const head = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const halfClosed = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    halfClosed.end(`POST /v1/slot-assignment HTTP/1.1\r\n${head}${body}`);
    const received = (await halfClosed.toArray()).join('');
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n(?!.*HTTP)/s);
    expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toMatchObject({ status: 'optimal' });
    const page = await fetch(`${url}/console/`);
    expect(page.status).toBe(200);
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
    expect((await fetch(`${url}/console/${script}`)).status).toBe(200);
    expect(await readyStatus(url)).toBe(200);
    await end(server);
  });
});

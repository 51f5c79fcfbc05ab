import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyStatus } from '../service/test-service.ts';

const run = promisify(execFile);
const environment = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` };
const request = readFileSync('examples/inria-crawler.json', 'utf8');

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

  it('has the pure solvers beside it', async () => {
    const answer = await asUser(`
      import { createLaw } from 'crawl-optimizer/solvers/distributions';
      console.log(JSON.stringify(createLaw({ type: 'exponential', rate: 2 }).mean));
    `);
    expect(answer).toBe(0.5);
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

  it('starts from few files, the licences of what is in them beside them', () => {
    const trace = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
        import { registerHooks } from 'node:module';
        let files = 0;
        registerHooks({ load(url, context, next) { if (url.startsWith('file:')) files++; return next(url, context); } });
        process.env.PORT = 'none';
        process.on('exit', () => console.log(files));
        await import('./dist/worker.js').catch(() => {});
      `,
      ],
      { stdio: ['ignore', 'pipe', 'ignore', 'ignore', 'ignore'] },
    );
    expect(Number(trace.toString())).toBeLessThan(15);
    const licences = readFileSync('dist/THIRD-PARTY-LICENCES.txt', 'utf8');
    for (const name of ['fastify', 'zod', 'pino', 'prom-client']) expect(licences).toContain(`\n${name} `);
  });

  it('serves the operations and the console it was built with', async () => {
    const server = spawn(process.execPath, ['dist/server.js'], {
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', WORKERS: '1', MAX_EVENT_LOOP_DELAY_MS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let url = '';
    for await (const line of createInterface({ input: server.stdout })) {
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
      if (url !== '') break;
    }
    server.stdout.resume();
    const page = await fetch(`${url}/console/`);
    expect(page.status).toBe(200);
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
    expect((await fetch(`${url}/console/${script}`)).status).toBe(200);
    expect(await readyStatus(url)).toBe(200);
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
  });
});

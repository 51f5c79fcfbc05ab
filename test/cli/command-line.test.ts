import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { operationHelp } from '../../src/cli/commands/operation-help.ts';
import { runCommandLine } from '../../src/cli/index.ts';
import { operations } from '../../src/operations/index.ts';
import { verifyClaim } from '../../src/schemas/words/verify-claim.ts';
import { runTables } from '../../src/tables/index.ts';
import { killAtExit } from '../service/spawned-server.ts';
import { readyStatus } from '../service/test-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const start = (words: readonly string[], environment: Record<string, string> = {}) =>
  killAtExit(spawn(process.execPath, ['src/cli.ts', ...words], { env: { ...process.env, ...environment } }));

/** Runs the command with this stdin, to its end. */
async function run(words: readonly string[], input = '', environment: Record<string, string> = {}): Promise<Ended> {
  const child = start(words, environment);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, out, err };
}

/** Runs the command in this process: for commands that print a text without solving anything. */
async function runHere(words: readonly string[]): Promise<Ended> {
  const streams = [process.stdout, process.stderr].map((stream) => {
    const written: string[] = [];
    const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
    return { written, spy };
  });
  try {
    const code = await runCommandLine(words, {
      runTables: (each) => runTables(each, process.stdout, process.stderr),
      serve: () => import('../../src/server.ts'),
    });
    const [out, err] = streams.map(({ written }) => written.join(''));
    return { code, out, err };
  } finally {
    for (const { spy } of streams) spy.mockRestore();
  }
}

const crawlerCount = operations.find((each) => each.name === 'crawler-count') ?? operations[0];
const { name, examples } = crawlerCount;
const request = readFileSync(`examples/${examples[0].name}.json`, 'utf8');
const exampleAnswer = JSON.parse(readFileSync(`examples/${examples[0].name}.answer.json`, 'utf8'));

const folder = temporaryFolder();

describe('crawl-optimizer <operation>', () => {
  it('answers its own example, piped from one process into the other', async () => {
    const example = await run([name, '--example']);
    expect(example.code).toBe(0);
    expect(JSON.parse(example.out)).toEqual(JSON.parse(request));
    const { code, out, err } = await run([name], example.out);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const answer = JSON.parse(out);
    expect(answer.status).toBe(exampleAnswer.status);
    expect(answer.objective.value).toBeCloseTo(exampleAnswer.objective.value, 12);
    expect(Object.keys(answer)).toEqual(Object.keys(exampleAnswer));
  });

  it('answers NDJSON line by line, in order, and exits with the gravest code', async () => {
    const line = JSON.stringify(JSON.parse(request));
    const { code, out, err } = await run([name, '-'], `${line}\n\n{"nonsense":1}\n${line}`);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(answers.map(({ status }) => status)).toEqual([exampleAnswer.status, 422, exampleAnswer.status]);
    expect(code).toBe(2);
    expect(err).toContain('stdin, line 3');
    expect(err).toContain('/nonsense');
  });

  it('answers a line as soon as it is there, while the pipe stays open', async () => {
    const child = start([name]);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const line = JSON.stringify(JSON.parse(request));
    for (let i = 0; i < 2; i++) {
      child.stdin.write(`${line}\n`);
      const { value = '' } = await lines.next();
      expect(JSON.parse(value).status).toBe(exampleAnswer.status);
    }
    const exited = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end();
    expect(await exited).toBe(0);
  });

  it('refuses what is not JSON with 400 on stdout, words on stderr, and exit code 2', async () => {
    const { code, out, err } = await run([name], '{\n"crawlerRate": 1,,\n}');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ status: 400, type: 'urn:crawl-optimizer:problem:not-json' });
    expect(err).toContain('The body is not JSON');
  });

  it('checks without solving', async () => {
    const { code, out } = await run([name, '--validate-only'], request);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ valid: true });
  });

  it('takes the limits of the environment, as the service does', async () => {
    const { code, out } = await run([name], request, { MAX_WORK: '1' });
    expect(code).toBe(2);
    expect(JSON.parse(out).type).toBe('urn:crawl-optimizer:problem:too-much-work');
  });

  it('ends quietly when its reader has seen enough', async () => {
    const child = start([name]);
    child.stdin.on('error', () => {});
    const line = `${JSON.stringify(JSON.parse(request))}\n`;
    child.stdin.end(line.repeat(500));
    child.stdout.once('data', () => child.stdout.destroy());
    const err = text(child.stderr);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, err: await err }).toEqual({ code: 0, err: '' });
  });
});

describe('help', () => {
  const commands = ['plan', 'import', 'compare', 'verify', 'tables', 'serve'];

  it.each(['', ...commands, ...operations.map((operation) => operation.name)])(
    'on %j is one screen',
    async (command) => {
      for (const columns of [80, 100]) {
        const { columns: before } = process.stdout;
        process.stdout.columns = columns;
        const { code, out } = await runHere([command, '--help'].filter((word) => word !== ''));
        process.stdout.columns = before;
        expect(code).toBe(0);
        expect(out).toContain(command === '' ? 'Operations (' : `Usage: crawl-optimizer ${command} `);
        expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
      }
    },
  );

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'on %s knows every field of its examples',
    (_, operation) => {
      const help = operationHelp(operation, 100);
      expect(help.replaceAll(/\s+/g, ' ')).toContain(operation.summary);
      for (const example of operation.examples) {
        const body: unknown = JSON.parse(readFileSync(`examples/${example.name}.json`, 'utf8'));
        for (const field of Object.keys(Object(body))) expect(help).toMatch(new RegExp(`[ \\n]${field}\\b`));
      }
    },
  );
});

describe('the command line itself', () => {
  it('lists the operations with --help, and without any word', async () => {
    const help = await run(['--help']);
    expect(help.code).toBe(0);
    for (const operation of operations) expect(help.out).toContain(operation.name);
    expect((await runHere([])).out).toBe(help.out);
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect((await run(['--version'])).out).toBe(`${version}\n`);
    expect((await runHere(['-v'])).out).toBe(`${version}\n`);
  });

  it.each([
    [['crawler-cuont', 'package.json'], 'no command or operation "crawler-cuont"; did you mean crawler-count?'],
    [['change-rate', 'package.json'], 'did you mean estimates/change-rates'],
    [[name, '--exmple'], 'there is no option --exmple; did you mean --example?'],
    [[name, '--time-limit'], '--time-limit needs a value'],
    [[name, '--strict=yes'], '--strict takes no value'],
    [[name, '--nonsense'], '--nonsense'],
    [[name, '--time-limit', 'soon'], '--time-limit must be a time such as 30s'],
    [[name, '--format', 'xml'], '--format must be table, csv, json'],
    [[name, '--set', 'crawls'], '--set must be <property>=<value>'],
    [
      ['crawl-plan', 'examples/crawl-plan.json', '--set', 'pages[999999999].weight=1'],
      '--set [999999999] is beyond the 6 items of the list',
    ],
    [[name, '--example', 'nonsense'], examples[1].name],
    [[name, '/no/such/file'], 'crawl-optimizer: there is no file /no/such/file'],
    [[name, 'src'], 'a folder cannot be read: name its files'],
    [['serve', 'please'], '"please"'],
  ])('refuses %j with exit code 2 and the reason', async (words, reason) => {
    const { code, out, err } = await runHere(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(reason);
    expect(err).not.toContain('    at ');
  });

  it('says in one line what is wrong with a log that cannot be unpacked, and ends with 2', async () => {
    const file = join(folder, 'damaged.csv.gz');
    writeFileSync(file, gzipSync('url,time,changed\n').fill(7, 10));
    const { code, out, err } = await runHere(['plan', file, '--crawls', '3']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^crawl-optimizer: .*it cannot be unpacked: .+\n$/);
  });

  it('reads what arrived whole of a log that was cut while packed, and says so', async () => {
    const rows = Array.from(
      { length: 2000 },
      (_, k) => `https://x.example/${k % 7},${1_780_000_000 + 977 * k},${k % 3}`,
    );
    const packed = gzipSync(['url,time,hash', ...rows].join('\n'));
    for (const share of [0.03, 0.5]) {
      const file = join(folder, 'cut.csv.gz');
      writeFileSync(file, packed.subarray(0, share * packed.length));
      const { code, err } = await runHere(['import', file, '--preview']);
      expect(code).toBe(0);
      expect(err).toMatch(/The log ends in the middle: its \d+ whole fetches are read\./);
      expect(err).not.toContain('cannot be read');
    }
  });

  it('compares no intervals where there are none: with entries of feeds', async () => {
    const file = join(folder, 'feeds.csv');
    writeFileSync(file, 'feed,published\nhttps://x.example/feed,2026-05-01\nhttps://x.example/feed,2026-05-02\n');
    const { code, err } = await runHere(['compare', file]);
    expect(code).toBe(2);
    expect(err).toContain('no page was fetched twice, so there are no intervals to compare');
  });

  it('exits with 4 after an internal fault, and with no other code', async () => {
    const broken = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const read = fs.readFileSync;
      fs.readFileSync = (file, ...rest) => {
        if (file === 'package.json') throw new TypeError('out of order');
        return read.call(fs, file, ...rest);
      };
      syncBuiltinESMExports();`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(broken)}`;
    const { code, err } = await run(['verify', 'package.json', 'package.json'], '', { NODE_OPTIONS });
    expect(code).toBe(4);
    expect(err).toContain('a fault of the program: TypeError: out of order');
  });

  it('refuses a misspelt operation before the first request comes', async () => {
    const child = start(['crawler-cuont']);
    // Nothing is written, and the pipe stays open.
    const errorText = text(child.stderr);
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(2);
    expect(await errorText).toContain('did you mean crawler-count?');
  });

  it('serves the same over HTTP until it is told to stop', async () => {
    const child = start(['serve', '--port', '0', '--host', '127.0.0.1'], {
      WORKERS: '1',
      MAX_EVENT_LOOP_DELAY_MS: '0',
    });
    const exited = new Promise((resolve) => child.once('close', resolve));
    let url = '';
    for await (const line of createInterface({ input: child.stdout })) {
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
      if (url !== '') break;
    }
    child.stdout.resume();
    expect(await readyStatus(url)).toBe(200);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/${name}`, { method: 'POST', headers, body: request });
    const answer: unknown = await response.json();
    expect(answer).toMatchObject({ status: exampleAnswer.status });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});

describe('a request changed from the command line, and answers for people', () => {
  const example = `examples/${examples[0].name}.json`;

  it('sets numbers, durations, dates and nested values, and refuses what the schema refuses', async () => {
    const set = ['--set', 'capacity=33', '--set', 'evaluate.from=2', '--set', 'evaluate.to=9'];
    const { code, out } = await run([name, example, ...set]);
    const changed = { ...JSON.parse(request), capacity: 33, evaluate: { from: 2, to: 9 } };
    expect(code).toBe(0);
    const { solution, evaluation } = JSON.parse((await run([name], JSON.stringify(changed))).out);
    expect(JSON.parse(out)).toMatchObject({ solution, evaluation });
    const dated = ['crawl-plan', 'examples/crawl-plan.json', '--set', 'now=2025-10-10', '--set', 'interval=6h'];
    const { solution: planned } = JSON.parse((await run(dated)).out);
    const times: number[] = planned.schedule.map(({ time }: { time: number }) => time);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.UTC(2025, 9, 10) / 1000);
    expect(Math.max(...times)).toBeLessThan(Date.UTC(2025, 9, 10, 6) / 1000);
    const misspelt = await run([name, example, '--set', 'capasity=33']);
    expect(misspelt.code).toBe(2);
    expect(misspelt.err).toContain('/capasity: unknown property');
  });

  it('refuses what is nested thousands deep in plain words', async () => {
    const nested = `{"capacity": ${'['.repeat(9000)}${']'.repeat(9000)}}`;
    const deepName = `${Array(8000).fill('a').join('.')}=1`;
    const cases: readonly (readonly [set: readonly string[], input: string, says: string])[] = [
      [[], nested, '/capacity: must be a finite number; got an array of 1'],
      [['--set', 'crawlerRate=1'], nested, '/capacity: must be a finite number; got an array of 1'],
      [['--set', deepName], request, 'none lies deeper than 8'],
    ];
    for (const [set, input, says] of cases) {
      const { code, err } = await run([name, ...set], input);
      expect(code).toBe(2);
      expect(err).toContain(says);
    }
  });

  it('writes a table or CSV on request', async () => {
    const plan = ['crawl-plan', 'examples/crawl-plan.json', '--time-limit', '30s'];
    const [table, csv] = await Promise.all([run([...plan, '--format', 'table']), run([...plan, '--format', 'csv'])]);
    const { objective } = JSON.parse(readFileSync('examples/crawl-plan.answer.json', 'utf8'));
    const [, value] = /^feasible {3}objective (\S+)$/m.exec(table.out) ?? [];
    expect(Number(value) / objective.value).toBeCloseTo(1, 3);
    expect(table.out).toMatch(/pages \(6\)\n +id +changeRate/);
    // The answer's sentence comes first, and numbers have units for people.
    expect(table.out.split('\n')[1]).toMatch(/^Make 24 fetches of 6 pages/);
    expect(table.out).toMatch(/https:\/\/news\.example\/ +6\.25\/d +\[2\.15\/d, 12\.5\/d\] +9 +2\.04 h/);
    // Times are dates, and pages of the schedule have their ids.
    expect(table.out).toContain('also schedule (24)');
    const [head, ...rows] = csv.out.trim().split('\n');
    expect(head).toMatch(/^id,changeRate,/);
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatch(/^https:\/\/news\.example\/,/);
  });
});

describe('the quick start', () => {
  const log = 'examples/quick-start/crawl-log.ndjson';

  it('goes from the crawl log to a plan in the line it names', async () => {
    const from = ['--now', '2026-06-11T00:00:00Z'];
    const words = ['plan', log, '--crawls', '30', '--interval', '1d', '--time-limit', '60s', ...from];
    const { code, out, err } = await run(words);
    expect(code).toBe(0);
    expect(err).toContain('5 pages, 165 fetches, 1–10 June 2026, 3 failed');
    const [head, ...lines] = out.trim().split('\n');
    expect(head).toBe('time,page,fetchInterval,intervalIfUnchanged,intervalIfChanged');
    expect(lines).toHaveLength(30);
    for (const line of lines) expect(line).toMatch(/^2026-06-11T[\d:.]+Z,https:\/\/\w+\.example\/\w*,\d+,\d+,\d+$/);
  });

  it('makes the same plan from the request that import writes, a packed log, and stdin', async () => {
    const packed = join(folder, 'log.ndjson.gz');
    writeFileSync(packed, gzipSync(readFileSync(log)));
    const words = ['--crawls', '30', '--now', '2026-06-11'];
    const request = await run(['import', packed, ...words]);
    const [answered, planned] = await Promise.all([
      run(['crawl-plan'], request.out),
      run(['plan', '-', '--json', ...words], readFileSync(log, 'utf8')),
    ]);
    expect(JSON.parse(planned.out).solution).toEqual(JSON.parse(answered.out).solution);
    expect(JSON.parse(request.out)).toMatchObject({ now: Date.UTC(2026, 5, 11) / 1000, interval: 86_400, crawls: 30 });
  });

  it('writes a table of pages, whose rates crawl-optimizer tables takes', async () => {
    const { code, out, err } = await run(['import', log, '--table']);
    expect(code, err).toBe(0);
    const table = join(folder, 'pages.csv');
    writeFileSync(table, out);
    const columns = ['--id', 'page', '--rate', 'rate', '--rate-unit', 'second'];
    const priceRun = await run(['tables', 'price', table, ...columns, '--crawls', '30', '--per', 'day']);
    expect(priceRun.code, priceRun.err).toBe(0);
    expect(JSON.parse(priceRun.out).pages).toBe(5);
    // The page that the plan's documentation gives 2.8e-5 changes a second.
    const sport = out.split('\n').find((line) => line.startsWith('https://news.example/sport,'));
    expect(Number(sport?.split(',')[2])).toBeCloseTo(2.83e-5, 6);
  });

  it('plans with as few fetches as keep a promise', async () => {
    const words = ['plan', log, '--now', '2026-06-11T00:00:00Z', '--freshness', '0.8'];
    const { code, out, err } = await run(words);
    expect(code, err).toBe(0);
    expect(err).toMatch(/12 fetches in a day keep the target for ever; fewer than 12 cannot\./);
    expect(out.trim().split('\n').length - 1).toBeLessThanOrEqual(12);
  });

  it('says once which hosts fail and which pages wait', async () => {
    const file = join(folder, 'failing.ndjson');
    const lines = Array.from({ length: 20 }, (_, k) =>
      ['a/1', 'b/1', 'b/2', 'b/3'].map((page) => {
        const outcome = k < 17 ? { status: 200, signature: `${k}` } : { status: page === 'a/1' ? 403 : 503 };
        return JSON.stringify({
          url: `https://${page.replace('/', '.example/')}`,
          time: 1.78e9 + 3600 * k,
          ...outcome,
        });
      }),
    );
    writeFileSync(file, lines.flat().join('\n'));
    const { code, err } = await run(['plan', file, '--crawls', '10', '--now', '1780068401']);
    expect(code, err).toBe(0);
    expect(err.match(/hosts that fail at the end of the log/g), err).toHaveLength(1);
    expect(err.match(/failed last and wait: /g), err).toHaveLength(1);
  });

  it('without a number or a promise says what fetches buy, and asks', async () => {
    const { code, out, err } = await run(['plan', log, '--now', '2026-06-11T00:00:00Z']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.match(/fetches in a day: copies are current [\d.]+% of the time; one more adds/g)).toHaveLength(5);
    expect(err).toContain('how current shall copies be');
  });

  it.each([
    [['plan', log, '--crawls', '3', '--freshness', '0.9'], '/crawls: give crawls, crawlers or target'],
    [['plan', log, '--freshness', '95'], '/target/freshness: must be at most 1; got 95'],
    [['plan', log, '--crawls', '0'], '/crawls: must be at least 1; got 0'],
    [['plan', log, '--crawls', '3', '--interval', '1y'], '--interval must be a time such as'],
    [['plan', log, '--crawls', '3', '--table'], 'there is no option --table'],
    [['import', log, '--map', 'when=time'], '--map must be <field>=<column>'],
    [['import', log, '--tabel'], 'there is no option --tabel; did you mean --table?'],
    [['import', 'package.json'], 'no column is known to be the'],
    [['import', 'no-such-file'], 'no-such-file'],
  ])('refuses %j', async (words, why) => {
    const { code, out, err } = await runHere(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(why);
  });
});

describe('crawl-optimizer verify', () => {
  const example = (name: string): string => `examples/${name}.json`;
  const written = (answer: unknown): string => {
    const file = join(folder, 'answer.json');
    writeFileSync(file, JSON.stringify(answer));
    return file;
  };

  it('finds nothing wrong with a right answer, and says whose it is', async () => {
    const { code, out, err } = await runHere(['verify', example('slot-assignment'), example('slot-assignment.answer')]);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain('slot-assignment: nothing is wrong with what was checked');
    expect(err).toMatch(/^checked: .*objective\.value.*solution\.tasks\.slot/m);
    expect(err).toMatch(/^not checked: summary/m);
  });

  it('says what is wrong, a line each, and ends with 1', async () => {
    const answer = JSON.parse(readFileSync(example('slot-assignment.answer'), 'utf8'));
    const [first] = answer.solution.tasks;
    answer.solution.tasks[1] = { ...answer.solution.tasks[1], ...first };
    const { code, out } = await runHere(['verify', example('slot-assignment'), written(answer)]);
    expect(out).toContain('has two tasks');
    expect(code).toBe(1);
  });

  it('claims the same in its help and in its documentation', async () => {
    const { out } = await runHere(['verify', '--help']);
    const page = readFileSync('docs/command-line.md', 'utf8');
    for (const text of [out, page]) expect(text.replaceAll(/\s+/g, ' ')).toContain(verifyClaim);
  });

  it('lists three values that it does not compare, and notices one that it does', async () => {
    const answer = JSON.parse(readFileSync(example('crawl-plan.answer'), 'utf8'));
    const [page] = answer.solution.pages;
    answer.solution.pages[0] = { ...page, changeRate: 1.05 * page.changeRate, fetchInterval: 1.1 * page.fetchInterval };
    answer.baselines.uniform *= 1.1;
    const unseen = await runHere(['verify', example('crawl-plan'), written(answer)]);
    expect(unseen.code).toBe(0);
    const [, unchecked = ''] = /^not checked: (.*)$/m.exec(unseen.err) ?? [];
    for (const field of ['solution.pages.changeRate', 'solution.pages.fetchInterval', 'baselines.uniform']) {
      expect(unchecked.split(', ')).toContain(field);
    }
    answer.solution.pages[0].staleness *= 1.01;
    const verification = await runHere(['verify', example('crawl-plan'), written(answer)]);
    expect(verification.code).toBe(1);
    expect(verification.out).toContain('objective.value');
  });

  it('refuses an answer to another question', async () => {
    const words = ['verify', example('slot-assignment'), example('crawl-schedule.answer')];
    const { code, err } = await runHere(words);
    expect(err).toContain('the answer is not one of slot-assignment');
    expect(code).toBe(2);
  });
});

describe('a long solve', () => {
  it('stops at the time limit of the command line, and --strict says that nothing is proved', async () => {
    const file = 'examples/threshold-policy-real-data.json';
    const { code, out } = await run(['threshold-policy', file, '--time-limit', '1', '--strict']);
    const answer = JSON.parse(out);
    // How far a solve comes in a millisecond depends on the machine: proved, an incumbent, or nothing.
    if (answer.status === 'feasible') expect(code).toBe(5);
    else if (answer.status === 504) expect(code).toBe(3);
    else expect({ status: answer.status, code }).toEqual({ status: 'optimal', code: 0 });
  });
});

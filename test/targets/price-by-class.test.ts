/** Targets of classes and hosts from a histogram and from a table, against the operation that knows every page. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/certificates/verify.ts';
import { accessFrequencies, crawlPrice, ProblemError, type RequestOf } from '../../src/index.ts';
import { openDuckDb } from '../../src/tables/duckdb.ts';
import { runTables } from '../../src/tables/index.ts';
import { pricePages } from '../../src/tables/price/pages.ts';
import { priceTargets } from '../../src/tables/price/targets.ts';
import { surveyPages } from '../../src/tables/survey-pages.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';

type Request = RequestOf<typeof crawlPrice>;

interface Page {
  readonly changeRate: number;
  readonly weight: number;
  readonly class?: string | undefined;
  readonly host?: string | undefined;
}

/** Each page a bucket of its own: the histogram is then the table. */
const bucketsOf = (pages: readonly Page[]) =>
  pages.map(({ changeRate, weight, class: name, host }) => ({
    pages: 1,
    changeRate,
    weight,
    changeRateLogRatio: changeRate * Math.log(weight / changeRate),
    ratioMin: weight / changeRate,
    ratioMax: weight / changeRate,
    ...(name !== undefined && { class: name }),
    ...(host !== undefined && { host }),
  }));

function checked(request: Request) {
  const answer = crawlPrice(request);
  expect(verify('crawl-price', request, answer)).toEqual([]);
  return answer;
}

const classes = ['news', 'live', undefined] as const;
const pagesOf = fc
  .array(
    fc.record({
      changeRate: fc.double({ min: 0.05, max: 30, noNaN: true }),
      weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
    }),
    { minLength: 6, maxLength: 12 },
  )
  .map((drawn) => drawn.map((page, i) => ({ ...page, class: classes[i % 3] })));
const share = fc.double({ min: 0.2, max: 0.95, noNaN: true });

describe('targets of classes of a histogram', () => {
  it('take the crawls, the prices and the bound that the pages themselves do', () => {
    const gaps: number[] = [];
    fc.assert(
      fc.property(pagesOf, share, share, fc.option(share), (pages, news, live, whole) => {
        const targets = [
          { class: 'news', freshness: news },
          { class: 'live', freshness: live },
        ];
        const asked = { targets, ...(whole !== null && { target: { freshness: whole } }) };
        const accessTime = { type: 'deterministic', value: 1e-9 } as const;
        const exact = accessFrequencies({ pages, accessTime, policy: 'deterministic', ...asked });
        const answer = checked({ buckets: bucketsOf(pages), ...asked });
        const crawls = exact.solution?.crawls ?? Number.NaN;
        const more = (answer.solution?.crawls ?? Number.NaN) / crawls - 1;
        expect(more).toBeGreaterThan(-1e-9);
        expect(answer.objective?.bound).toBeLessThanOrEqual(crawls * (1 + 1e-9));
        // a page that is hardly crawled pays its whole ratio to rounding: doubles leave some crawls open, and say so
        const { gap } = answer.objective ?? {};
        expect(more).toBeLessThanOrEqual((gap ?? Number.NaN) + 1e-9);
        gaps.push(gap ?? Number.NaN);
        for (const [k, { freshness }] of (answer.targets ?? []).entries()) {
          expect(freshness).toBeGreaterThanOrEqual(targets[k].freshness - 1e-9);
        }
      }),
      { numRuns: 40 },
    );
    expect(gaps.filter((gap) => gap < 1e-8).length).toBeGreaterThan(0.8 * gaps.length);
  });

  it('come with a curve, each point of which is what the pages themselves need for it beside the targets', () => {
    fc.assert(
      fc.property(pagesOf, share, fc.option(share), (pages, news, whole) => {
        const targets = [{ class: 'news', freshness: news }];
        const {
          curve = [],
          solution,
          objective,
        } = checked({
          buckets: bucketsOf(pages),
          targets,
          ...(whole !== null && { target: { freshness: whole } }),
          curve: true,
        });
        expect(curve).toHaveLength(20);
        const around = solution?.crawls ?? Number.NaN;
        // where a page pays its whole ratio, doubles leave some crawls open, and say so
        const { objective: alone } = crawlPrice({ buckets: bucketsOf(pages), targets });
        const open = [objective, alone].reduce(
          (sum, each) => sum + (each?.value ?? 0) * (each?.gap ?? 0),
          1e-12 * around,
        );
        expect(curve[0].crawls).toBeLessThanOrEqual(around * 1.01);
        expect(curve[19].crawls).toBeGreaterThanOrEqual(around);
        const accessTime = { type: 'deterministic', value: 1e-9 } as const;
        for (const { crawls, freshness = 0 } of curve.filter((_, k) => k % 6 === 0)) {
          const needed = (wanted: number): number => {
            const asked = {
              pages,
              accessTime,
              policy: 'deterministic',
              targets,
              target: { freshness: wanted },
            } as const;
            return accessFrequencies(asked).solution?.crawls ?? Number.NaN;
          };
          expect(needed(freshness - 1e-6)).toBeLessThanOrEqual(crawls + open);
          expect(needed(freshness + 1e-6)).toBeGreaterThanOrEqual(crawls - open);
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['delay', 'meanDelay', 0.3, 0.8],
    ['age', 'meanAge', 0.3, 0.8],
    ['harmonic', 'harmonic', 0.62, 1.5],
  ] as const)('are kept under %s, with limits of hosts', (objective, measure, top, all) => {
    const pages = Array.from({ length: 12 }, (_, i) => ({
      changeRate: 1 + (i % 5),
      weight: 1 + (i % 3),
      class: i < 4 ? 'top' : undefined,
      host: i < 2 ? 'slow.example' : undefined,
    }));
    const request: Request = {
      buckets: bucketsOf(pages),
      objective,
      hosts: [{ host: 'slow.example', maxRate: 1.1 }],
      target: { [measure]: all },
      targets: [{ class: 'top', [measure]: top }],
    };
    const { solution, targets, summary } = checked(request);
    expect(summary).toMatch(/keep the targets\. .* or the price of its class or host\.$/);
    expect(targets?.[0][measure]).toBeCloseTo(top, 6);
    expect(solution?.hosts).toEqual([expect.objectContaining({ host: 'slow.example', limited: true, rate: 1.1 })]);
    const { targets: _, ...alone } = request;
    expect(solution?.crawls).toBeGreaterThan(crawlPrice(alone).solution?.crawls ?? Number.NaN);
  });

  it('come with a curve along which hosts keep their limits, and which its certificate checks', () => {
    const pages = [
      { changeRate: 4, weight: 1, class: 'top', host: 'slow.example' },
      { changeRate: 2, weight: 1 },
      { changeRate: 1, weight: 3 },
    ];
    const request: Request = {
      buckets: bucketsOf(pages),
      hosts: [{ host: 'slow.example', maxRate: 2 }],
      targets: [{ class: 'top', freshness: 0.3 }],
      target: { freshness: 0.7 },
      curve: true,
    };
    const { curve = [] } = checked(request);
    expect(curve).toHaveLength(20);
    const { crawls, freshness = 0 } = curve[19];
    const { hosts } = request;
    const forward = crawlPrice({ buckets: request.buckets, hosts, rate: crawls });
    expect(forward.solution?.hosts?.[0].limited).toBe(true);
    expect(1 - freshness).toBeCloseTo((forward.objective?.value ?? Number.NaN) / 5, 9);
    const free: Request = { ...request, hosts: undefined };
    const answer = checked(free);
    for (const more of [1e-4, -0.05]) {
      const wrong = answer.curve?.map((point) => ({ ...point, freshness: (point.freshness ?? 0) + more }));
      expect(verify('crawl-price', free, { ...answer, curve: wrong }).length).toBeGreaterThan(9);
    }
    // where all pages have limits, no more is told than these let
    const { targets, ...limited } = { ...request, buckets: bucketsOf(pages.slice(0, 1)), target: { freshness: 0.2 } };
    const alone = checked({ ...limited, hosts: [{ host: 'slow.example', maxRate: 2 }], targets }).curve ?? [];
    expect(alone[19].crawls).toBeGreaterThan(1.99);
    expect(alone[19].crawls).toBeLessThan(2);
  });

  it('are told apart where a host allows too little, with the limit and what helps', () => {
    const pages = [
      { changeRate: 4, weight: 1, host: 'slow.example' },
      { changeRate: 1, weight: 1 },
    ];
    const asked = { buckets: bucketsOf(pages), targets: [{ host: 'slow.example', freshness: 0.9 }] };
    const missed = crawlPrice({ ...asked, hosts: [{ host: 'slow.example', maxRate: 2 }] });
    expect(missed.status).toBe('infeasible');
    const { host, limits, repairs, reachable } = Object(missed.conflict);
    expect({ host, limits }).toEqual({
      host: 'slow.example',
      limits: [{ limit: 'maxRate', host: 'slow.example', price: expect.any(Number) }],
    });
    expect(reachable).toBeCloseTo(-Math.expm1(-2) / 2, 9);
    for (const { changes } of repairs) {
      const [{ pointer, value }] = changes;
      const targets = pointer.startsWith('/targets') ? [{ host, freshness: value }] : asked.targets;
      const maxRate = pointer.startsWith('/hosts') ? value : 2;
      expect(crawlPrice({ ...asked, targets, hosts: [{ host, maxRate }] }).status).not.toBe('infeasible');
    }
    // pages of no target need no crawl
    expect(checked({ ...asked, hosts: [{ host: 'slow.example', maxRate: 90 }] }).solution?.price).toBeNull();
  });

  it.each([
    ['a class that no bucket has', { targets: [{ class: 'b', freshness: 0.5 }] }, '/targets/0/class no-such-page'],
    [
      'a curve along which a host with a limit has pages of several',
      { targets: [{ class: 'news', freshness: 0.5 }], curve: true, hosts: [{ host: 'h', maxRate: 3 }] },
      '/hosts/0/host not-applicable',
    ],
    ['a rate', { targets: [{ class: 'news', freshness: 0.5 }], rate: 2 }, '/rate one-of'],
    [
      'a host with a limit that has pages of several',
      { targets: [{ class: 'news', freshness: 0.5 }], target: { freshness: 0.5 }, hosts: [{ host: 'h', maxRate: 3 }] },
      '/hosts/0/host not-applicable',
    ],
  ])('are refused with %s', (_, more, expected) => {
    const buckets = bucketsOf([
      { changeRate: 1, weight: 1, class: 'news', host: 'h' },
      { changeRate: 2, weight: 1, host: 'h' },
    ]);
    let errors: string[] = [];
    try {
      Reflect.apply(crawlPrice, undefined, [{ buckets, ...more }]);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      errors = error.errors.map(({ pointer, code }) => `${pointer} ${code}`);
    }
    expect(errors).toContain(expected);
  });
});

describe('crawl-optimizer tables --targets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'by-class-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const pages = lognormalPages(3000, 5).map(({ changeRate, ratio }, i) => ({
    changeRate,
    weight: changeRate * ratio,
    class: i % 7 === 0 ? 'news' : i % 7 === 1 ? 'live' : undefined,
  }));
  const file = join(folder, 'pages.csv');
  const targetsFile = join(folder, 'targets.csv');
  const line = ({ changeRate, weight, class: name = '' }: Page, i: number) => `p${i},${changeRate},${weight},${name}`;
  writeFileSync(file, `url,rate,weight,kind\n${pages.map(line).join('\n')}\n`);
  writeFileSync(targetsFile, 'class,freshness\nnews,0.9\nlive,0.3\n');
  const targets = [
    { class: 'news', freshness: 0.9 },
    { class: 'live', freshness: 0.3 },
  ];

  async function run(action: string, ...more: string[]) {
    const said = { out: '', err: '' };
    const out = { write: (text: string) => (said.out += text) };
    const words = [action, file, '--id', 'url', '--rate', 'rate', '--rate-unit', 'day', '--weight', 'weight'];
    const code = await runTables([...words, '--per', 'week', ...more], out, {
      write: (text) => (said.err += text),
    });
    return { code, ...said };
  }

  it('keeps them with the fewest crawls, and writes a plan that does', async () => {
    const out = join(folder, 'plan.csv');
    const asked = ['--class', 'kind', '--targets', targetsFile, '--freshness', '0.6'];
    const { code, out: told, err } = await run('plan', ...asked, '--out', out);
    expect(code, err).toBe(0);
    const answer = JSON.parse(told);
    const exact = crawlPrice({ buckets: bucketsOf(pages), target: { freshness: 0.6 }, targets });
    const least = exact.solution?.crawls ?? Number.NaN;
    expect(answer.crawls / 7 / least).toBeGreaterThan(1 - 1e-9);
    expect(answer.crawls / 7 / least).toBeLessThan(1.001);
    expect(answer.gap).toBeLessThan(1e-4);
    const stale = new Map<string, number>();
    let crawls = 0;
    for (const row of readFileSync(out, 'utf8').trim().split('\n').slice(1)) {
      const [id, rate, , staleness] = row.split(',');
      const { weight, class: name = '' } = pages[Number(id.slice(1))];
      crawls += Number(rate);
      for (const key of ['all', name]) stale.set(key, (stale.get(key) ?? 0) + weight * Number(staleness));
    }
    expect(crawls).toBeCloseTo(answer.crawls / 7, 6);
    const kept = (name: string | null): number => {
      const own = pages.filter((page) => name === null || page.class === name);
      return 1 - (stale.get(name ?? 'all') ?? Number.NaN) / own.reduce((sum, { weight }) => sum + weight, 0);
    };
    expect(kept(null)).toBeGreaterThanOrEqual(0.6 - 1e-9);
    expect(kept('news')).toBeGreaterThanOrEqual(0.9 - 1e-9);
    expect(kept('live')).toBeGreaterThan(0.3);
    for (const { class: name, freshness } of answer.targets) expect(kept(name)).toBeCloseTo(freshness, 6);
  });

  it('crawls no page of another class where there is no target of all', async () => {
    const out = join(folder, 'alone.csv');
    const { code, out: told, err } = await run('plan', '--class', 'kind', '--targets', targetsFile, '--out', out);
    expect(code, err).toBe(0);
    expect(JSON.parse(told).price).toBeNull();
    for (const row of readFileSync(out, 'utf8').trim().split('\n').slice(1)) {
      const [id, rate] = row.split(',');
      if (pages[Number(id.slice(1))].class === undefined) expect(rate).toBe('0.0');
    }
  });

  it('reads the pages no more often than the forward question', async () => {
    const engine = await openDuckDb([file], '512MB');
    let scans = 0;
    const rows = (sql: string) => {
      scans++;
      return engine.rows(sql);
    };
    const counting = { ...engine, rows };
    const columns = { id: 'url', changeRate: 'rate', weight: 'weight', host: 'kind', from: engine.from };
    const common = { pages: columns, objective: 'freshness', bucketWidth: 0.02 } as const;
    const survey = await surveyPages(counting, { ...common, hosts: [] });
    await pricePages(counting, { ...common, hosts: [], rate: 500 }, survey);
    const forward = scans;
    scans = 0;
    const hosts = targets.map((each) => ({ host: each.class, maxRate: 1 }));
    const asked = { whole: null, own: targets.map((each) => ({ name: each.class, value: each.freshness })) };
    await priceTargets(counting, { ...common, hosts }, await surveyPages(counting, { ...common, hosts }), asked);
    expect(scans).toBe(forward);
    await engine.close();
  });

  it.each([
    [['--targets', 'T', '--crawls', '3', '--class', 'kind'], 'give one of --crawls and --targets'],
    [['--targets', 'T'], '--targets needs --class or --host'],
    [['--targets', 'T', '--class', 'kind', '--min-interval', '1hours'], '--min-interval does not go with --targets'],
    [['--targets', 'bad', '--class', 'kind'], 'freshness of "news" must lie between 0 and 1; got 90'],
    [['--targets', 'other', '--class', 'kind'], 'no page is of "sport"'],
  ])('refuses %j', async (more, why) => {
    writeFileSync(join(folder, 'bad.csv'), 'class,freshness\nnews,90\n');
    writeFileSync(join(folder, 'other.csv'), 'class,freshness\nsport,0.9\n');
    const words = more.map((word) =>
      word === 'T' ? targetsFile : ['bad', 'other'].includes(word) ? join(folder, `${word}.csv`) : word,
    );
    const { code, err } = await run('price', ...words);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });
});

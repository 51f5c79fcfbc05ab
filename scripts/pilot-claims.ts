/**
 * `node scripts/pilot-claims.ts [--runs 1000] [--only alike,covered,recorded] [--traces FILE,…]`: what docs/maintainers/pilot.md
 * says of pilots, run anew.
 *
 * - Arms alike: how many of so many pilots would ever take over or roll back, looked at after every probe.
 * - Coverage: how often an interval misses the difference at any look, under changes of several kinds, by page and host.
 * - Probes said at the start beside those that a verdict took.
 * - Recorded histories: the plan against all pages in turn, dealt by the coin, until the verdict.
 */
import { parseArgs } from 'node:util';
import { pageHistories, readTrace } from '../bench/replay/page-history.ts';
import { plannedAhead, takingTurns } from '../bench/replay/policies.ts';
import { followed, freshnessBetween, recordedPilot, saidAtStart } from '../bench/replay/recorded-pilot.ts';
import { day } from '../bench/replay/replay.ts';
import { probesNeeded } from '../src/solvers/freshness/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import { countedProbes } from '../test/solvers/freshness/counted-probes.ts';
import { naiveIntervals } from '../test/solvers/freshness/naive-sequence.ts';
import { type Changes, type Crawl, probed } from '../test/solvers/freshness/probed-crawl.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    only: { type: 'string', default: 'alike,covered,said,recorded' },
    traces: { type: 'string', default: '' },
    rates: { type: 'string', default: '0.03,0.1,0.3' },
    pilots: { type: 'string', default: '5' },
    learnt: { type: 'string', default: '365' },
  },
});
const runs = Number(values.runs);
const rates = values.rates.split(',').map(Number);
const alpha = 0.05;
const kinds: readonly Changes[] = ['poisson', 'bursts', 'site-wide', 'drifting'];
const base: Crawl = {
  changes: 'poisson',
  pages: 60,
  days: 8,
  probesADay: 30,
  intervals: { plan: 1, incumbent: 1 },
  forecast: () => 0.8,
};

/** The intervals after every counted probe of one pilot, and what each is for. */
function looksOf(crawl: Crawl, random: () => number) {
  const { y, truth } = countedProbes(probed(crawl, random));
  const scaled = (list: readonly number[]): number[] => list.map((each) => (each + 2) / 4);
  return { y, looks: naiveIntervals(scaled(y), scaled(truth), alpha) };
}

const percent = (count: number, of: number): string => `${count} of ${of} (${((100 * count) / of).toFixed(1)}%)`;

function alike(): void {
  console.log('\nTwo arms alike: pilots that ever take over or roll back, looked at after every probe');
  const forecasts = {
    'a good forecast': () => 0.8,
    nonsense: (random: () => number) => random(),
    'always wrong': () => 0,
  };
  for (const [name, forecast] of Object.entries(forecasts)) {
    for (const hosts of [0, 12]) {
      const random = seededRandom(31);
      let decided = 0;
      for (let run = 0; run < runs; run++) {
        const { looks } = looksOf({ ...base, changes: 'site-wide', forecast, hosts }, random);
        if (looks.some(({ low, high }) => low > 0.5 || high < 0.5)) decided++;
      }
      console.log(`  ${name.padEnd(16)} ${hosts === 0 ? 'pages' : 'hosts'} dealt   ${percent(decided, runs)}`);
    }
  }
}

function covered(): void {
  console.log('\nCoverage: pilots in which the difference was ever outside its interval');
  for (const changes of kinds) {
    for (const hosts of [0, 12]) {
      const random = seededRandom(32);
      let missed = 0;
      for (let run = 0; run < runs; run++) {
        const { looks } = looksOf({ ...base, changes, hosts, intervals: { plan: 1, incumbent: 2 } }, random);
        if (looks.some(({ low, high, target }) => target < low || target > high)) missed++;
      }
      console.log(`  ${changes.padEnd(10)} ${hosts === 0 ? 'pages' : 'hosts'} dealt   ${percent(missed, runs)}`);
    }
  }
}

function said(): void {
  console.log('\nProbes that a verdict took, over those said at the start from the true difference and variance');
  const pilots = Math.max(5, Math.round(runs / 50));
  for (const incumbent of [3, 5, 8]) {
    const random = seededRandom(33);
    const ratios: number[] = [];
    let open = 0;
    for (let run = 0; run < pilots; run++) {
      const crawl = { ...base, pages: 300, days: 120, probesADay: 100, intervals: { plan: 1, incumbent } };
      const { y, looks } = looksOf(crawl, random);
      const decided = looks.findIndex(({ low }) => low > 0.5) + 1;
      const mean = y.reduce((sum, each) => sum + each, 0) / y.length;
      const variance = y.reduce((sum, each) => sum + (each - mean) ** 2, 0) / y.length;
      const needed = probesNeeded(mean, variance, alpha);
      if (decided === 0 || needed === null) open++;
      else ratios.push(decided / needed);
    }
    ratios.sort((a, b) => a - b);
    const median = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
    console.log(
      `  every day against every ${incumbent} days: median ${median.toFixed(2)} of ${ratios.length}; without a verdict ${open}`,
    );
  }
}

function recorded(): void {
  console.log('\nRecorded histories: the plan against all pages in turn, dealt by the coin until the verdict');
  const [start, end] = ['2023-01-01', '2026-08-01'].map((text) => Date.parse(`${text}T00:00:00Z`) / 1000);
  for (const file of values.traces.split(',').filter((each) => each !== '')) {
    const lines = readTrace(file);
    const from = Math.max(
      start,
      quantile(
        lines.map(({ firstFetch }) => firstFetch),
        0.5,
      ),
    );
    const pages = pageHistories(lines, from, end);
    for (const crawlRate of rates) {
      const plan = plannedAhead(pages.length, from, { crawlRate, firstPlan: 10 * day, planLength: 30 * day });
      const rules = {
        plan: followed(pages, plan, from, end),
        incumbent: followed(pages, takingTurns(pages.length, crawlRate), from, end),
      };
      // The log that a pilot starts from: so many days of both rules.
      const begin = from + Number(values.learnt) * day;
      const fresh = (rule: typeof rules.plan): number => freshnessBetween(pages, rule, begin, end);
      const [planned, inTurn] = [fresh(rules.plan), fresh(rules.incumbent)];
      const gain = planned - inTurn;
      const all = Array.from({ length: Number(values.pilots) }, (_, seed) => {
        return recordedPilot(pages, rules, { start: begin, end, seed });
      });
      const count = (verdict: string): number => all.filter((each) => each.verdict === verdict).length;
      const probes = quantile(
        all.map((each) => each.probes),
        0.5,
      );
      const both = (planned + inTurn) / 2;
      const byTruth = probesNeeded(gain, 4 * both * (1 - both), alpha);
      const said = saidAtStart(rules.incumbent, begin);
      const [first] = all;
      console.log(
        `  ${file.split('/').at(-1)}, ${pages.length} pages, ${crawlRate} fetches a page and day: gain ${gain.toFixed(4)}; ` +
          `take-over ${count('take-over')}, go-on ${count('go-on')}, roll-back ${count('roll-back')}; ` +
          `median ${probes} probes of ${first.counted}; said at the start ${said.probes} (for a gain of ` +
          `${said.gain.toFixed(4)}), by the true gain ${byTruth}; the first: ${first.low.toFixed(4)} to ${first.high.toFixed(4)}`,
      );
    }
  }
}

function quantile(list: readonly number[], share: number): number {
  return [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))];
}

const parts = { alike, covered, said, recorded };
for (const [name, part] of Object.entries(parts)) if (values.only.split(',').includes(name)) part();

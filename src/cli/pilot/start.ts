/** `pilot start`: what to expect, how long a verdict will probably take, and the file of the pilot. */
import { commonChanges } from '../../logs/changing-together.ts';
import { compareRules, fetchRateOf } from '../../logs/compared-rules.ts';
import { type Expectation, expectedPilot } from '../../logs/expected-pilot.ts';
import { type Pilot, usualGrace } from '../../logs/pilot.ts';
import type { CrawlLog } from '../../logs/read-log.ts';
import { day } from '../../solvers/day.ts';
import { counted, duration, figure, share } from '../../words/numbers.ts';
import type { LogCommand } from '../log-arguments.ts';
import { loggedFetches } from '../plan-logs.ts';
import { exitCodes } from '../solve-requests.ts';
import { writeOut } from '../write-output.ts';
import { asking, modelOf } from './compare-logs.ts';

/** A correlation of pages of a host from which they are dealt together, and how surely it must be one. */
const together = { correlation: 0.1, deviations: 4 };
/** With fewer hosts than these, hosts are too few to be dealt. */
const fewestHosts = 20;
/** A pilot that takes longer is said to be hopeless. */
const longestDays = 3650;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

export async function startPilot(command: LogCommand): Promise<number> {
  const log = loggedFetches(command);
  const begin = command.plan.now ?? Math.ceil(Date.now() / 1000);
  const model = await modelOf(log, asking);
  if ('refused' in model) return model.refused;
  const { gaps, frequencies, rates } = model;
  const { stale, gain } = compareRules(gaps, frequencies, rates);
  const median = medianOf(gaps.flat());
  const unit = unitFor(log, median);
  const expected = expectedPilot({
    gain: gain.value,
    stale: (stale.own.value + stale.plan.value) / 2,
    fetchesADay: fetchRateOf(gaps) * day,
    units: unit === 'host' ? hostsOf(log).size : log.pages.length,
    periodDays: Math.max(1, Math.ceil((4 * median) / day)),
  });
  const [low, high] = gain.interval;
  say(
    `By the model your copies are stale ${share(stale.own.value)} of the time, by a plan ${share(stale.plan.value)}.`,
  );
  say(`A gain of ${figure(gain.value, 2)} (${figure(low, 2)} to ${figure(high, 2)}) is expected.`);
  say(sentenceOf(expected));
  const pilot: Pilot = {
    seed: `pilot ${new Date(1000 * begin).toISOString()}`,
    start: begin,
    period: expected.periodDays * day,
    probeEvery: day / expected.probesADay,
    unit,
    grace: command.grace ?? usualGrace,
  };
  await writeOut(JSON.stringify(pilot, null, 2));
  return exitCodes.answered;
}

function sentenceOf({ probes, days }: Expectation): string {
  if (probes === null || days > longestDays)
    return 'A gain so small will not be proved with so few fetches; crawl-optimizer compare is for you.';
  return `A verdict will probably take ${counted(probes, 'probe')} that count, some ${duration(days * day)}.`;
}

const hostsOf = ({ pages }: CrawlLog): Set<string> =>
  new Set(pages.flatMap(({ host }) => (host === undefined ? [] : [host])));

/** What is dealt: pages, or hosts where pages of a host change together. */
function unitFor(log: CrawlLog, stretch: number): 'page' | 'host' {
  const { correlation, deviations } = commonChanges(log, stretch);
  if (correlation < together.correlation || deviations < together.deviations) return 'page';
  const found = `Pages of a host change together (correlation ${figure(correlation, 2)})`;
  const hosts = hostsOf(log).size;
  const everyPage = log.pages.every(({ host }) => host !== undefined);
  if (hosts < fewestHosts || !everyPage) {
    say(`${found}, but ${counted(hosts, 'host')} are too few to be dealt: pages are.`);
    return 'page';
  }
  say(`${found}: whole hosts are dealt to the arms.`);
  return 'host';
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? day;
}

/** In words: the answers about pages, and about who fetches them when. */
import { figure, seconds } from '../format.ts';
import type { Answered } from '../pictures/answered.ts';
import { cells, column, list, number, numbers, rowCount, text } from '../pictures/read.ts';
import type { Reading } from './reading.ts';
import { compared, counted, share } from './words.ts';

function weightedMean(values: Float64Array, weights: Float64Array): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    sum += weights[i] * values[i];
    total += weights[i];
  }
  return sum / total;
}

/** Mean of a column of the answer, by the weights of the request. */
const meanOf = ({ request, answer }: Answered, name: string): number =>
  weightedMean(column(answer.solution?.pages, name), column(request.pages, 'weight', 1));

export const crawlPlan: Reading = {
  objective: 'staleness',
  unit: 'weight × share of the interval, summed over pages',
  sentence(answered) {
    const { request, answer } = answered;
    const fetches = rowCount(answer.solution?.schedule);
    const pages = rowCount(request.pages);
    const without = column(answer.solution?.pages, 'crawls').reduce((sum, each) => sum + Number(each === 0), 0);
    const planned = meanOf(answered, 'staleness');
    const uniform = meanOf(answered, 'uniformStaleness');
    const first = `Make ${counted(fetches, 'fetch', 'fetches')} of ${counted(pages, 'page')} in the next ${seconds(number(request, 'interval'))}.`;
    const second = ` A copy is stale ${share(planned)} of the time; the same fetches spread evenly would leave ${share(uniform)}.`;
    const third =
      without > 0 ? ` ${counted(without, 'page')} ${without === 1 ? 'gets' : 'get'} no fetch this time.` : '';
    return first + (Number.isFinite(planned + uniform) ? second : '') + third;
  },
};

export const crawlAllocation: Reading = {
  objective: 'staleness',
  unit: 'weight × share of the interval, summed over pages',
  sentence({ request, answer }) {
    const crawls = column(answer.solution?.pages, 'crawls');
    const total = crawls.reduce((sum, each) => sum + each, 0);
    const weights = column(request.pages, 'weight', 1).reduce((sum, each) => sum + each, 0);
    const none = crawls.reduce((sum, each) => sum + Number(each === 0), 0);
    const value = answer.objective?.value ?? Number.NaN;
    const uniform = number(answer, 'baselines', 'uniform');
    const others = Number.isFinite(uniform) ? ` Equal shares would cost ${compared(uniform, value)}.` : '';
    const left = none > 0 ? ` ${counted(none, 'page')} ${none === 1 ? 'gets' : 'get'} none.` : '';
    const stale = `A copy is stale ${share(value / weights)} of the interval on average.`;
    return `Give ${counted(crawls.length, 'page')} ${counted(total, 'crawl')}. ${stale}${others}${left}`;
  },
};

export const accessFrequencies: Reading = {
  objective: 'staleness cost',
  unit: 'weight × share of time, summed over pages',
  sentence(answered) {
    const { answer } = answered;
    const frequency = column(answer.solution?.pages, 'frequency');
    const starved = number(answer.solution, 'starved');
    let most = 0;
    for (let i = 1; i < frequency.length; i++) if (frequency[i] > frequency[most]) most = i;
    const name = text(answered.request.pages, most, 'id') || text(answered.request.pages, 'id', most) || `page ${most}`;
    const lead =
      frequency.length > 0 ? `Give ${share(frequency[most])} of all accesses to ${name}, the most any page gets.` : '';
    const left = starved > 0 ? ` ${counted(starved, 'page')} ${starved === 1 ? 'is' : 'are'} never accessed.` : '';
    return `${lead} A copy is stale ${share(meanOf(answered, 'staleness'))} of the time on average.${left}`;
  },
};

export const accessSequence: Reading = {
  objective: 'staleness cost',
  unit: 'weight × share of time, summed over pages',
  sentence({ answer }) {
    const length = number(answer.solution, 'cycleLength');
    const pages = list(answer.solution, 'counts').length;
    const gap = answer.objective?.gap ?? Number.NaN;
    const near = Number.isFinite(gap)
      ? ` Its cost is within ${share(Math.max(0, gap))} of what no order can beat.`
      : '';
    const crawlers = list(answer.solution, 'crawlers').length;
    if (crawlers > 0)
      return `Let each of ${counted(crawlers, 'crawler')} repeat a cycle of its own pages for ever.${near}`;
    return `Repeat a cycle of ${counted(length, 'access', 'accesses')} to ${counted(pages, 'page')} for ever.${near}`;
  },
};

export const slotAssignment: Reading = {
  objective: 'deviation from the ideal times',
  unit: 'weight × time, summed over tasks',
  sentence({ request, answer }) {
    const crawler = column(answer.solution?.tasks, 'crawler');
    const placed = crawler.reduce((sum, each) => sum + Number(Number.isFinite(each)), 0);
    const used = new Set(crawler.filter((each) => Number.isFinite(each))).size;
    const dropped = number(answer.solution, 'dropped');
    const time = (name: string): string => figure(number(answer.solution, 'deviation', name), 3);
    const off = ` They start ${time('mean')} from their ideal time on average, ${time('max')} at most.`;
    const left = dropped > 0 ? ` ${counted(dropped, 'task')} ${dropped === 1 ? 'is' : 'are'} dropped.` : '';
    const idle = number(answer.solution, 'idleSlots');
    const of = rowCount(request.crawlers);
    return `${counted(placed, 'task')} go to ${figure(used)} of ${counted(of, 'crawler')}; ${counted(idle, 'slot')} ${idle === 1 ? 'stays' : 'stay'} idle.${off}${left}`;
  },
};

export const crawlSchedule: Reading = {
  objective: 'staleness',
  unit: 'weight × share of the interval, summed over pages',
  sentence({ request, answer }) {
    const fetches = rowCount(answer.solution?.schedule);
    const pages = rowCount(answer.solution?.pages);
    const weights = column(request.pages, 'weight', 1).reduce((sum, each) => sum + each, 0);
    const value = answer.objective?.value ?? Number.NaN;
    const uniform = number(answer, 'baselines', 'uniform');
    const idle = number(answer.solution, 'idleSlots');
    const crawlers = counted(rowCount(request.crawlers), 'crawler');
    const first = `Make ${counted(fetches, 'fetch', 'fetches')} of ${counted(pages, 'page')} with ${crawlers}.`;
    const stale = ` A copy is stale ${share(value / weights)} of the interval on average.`;
    const others = Number.isFinite(uniform) ? ` Equal counts would cost ${compared(uniform, value)}.` : '';
    const left = idle > 0 ? ` ${counted(idle, 'slot')} ${idle === 1 ? 'stays' : 'stay'} idle.` : '';
    return first + stale + others + left;
  },
};

export const simulationsPages: Reading = {
  sentence({ answer }) {
    const measures = answer.solution?.measures;
    const mean = (name: string): number => number(measures, name, 'mean');
    const half = (number(measures, 'freshness', 'interval', 1) - number(measures, 'freshness', 'interval', 0)) / 2;
    const seen = mean('changesSeen') / mean('changes');
    return `Copies are fresh ${share(mean('freshness'))} of the time (± ${share(half)}), with ${figure(mean('fetches'), 3)} fetches a run; ${share(seen)} of the changes are seen.`;
  },
};

export const changeRates: Reading = {
  sentence({ answer }) {
    const pages = answer.solution?.pages;
    const rate = column(pages, 'rate').sort();
    const sum = (name: string): number => column(pages, name).reduce((total, each) => total + each, 0);
    const middle = rate[rate.length >> 1];
    const spread =
      rate.length > 1 ? `; the slowest ${figure(rate[0], 2)}, the fastest ${figure(rate[rate.length - 1], 2)}` : '';
    return `${counted(sum('checks'), 'check')} of ${counted(rate.length, 'page')} saw ${counted(sum('changes'), 'change')}. The middle page changes ${figure(middle, 2)} times per unit of time${spread}.`;
  },
};

export const changeSignals: Reading = {
  sentence({ answer }) {
    const fit = answer.solution?.overall;
    const value = (name: string): number => number(fit, name, 'value');
    const hosts = list(answer.solution, 'hosts').length;
    const first = `Of ${counted(hosts, 'host')} together, ${share(value('precision'))} of the signals are right`;
    return `${first}, and they tell of ${share(value('recall'))} of the changes.`;
  },
};

export const hostLimits: Reading = {
  sentence({ answer }) {
    const hosts = answer.solution?.hosts;
    const delays = column(hosts, 'minDelay');
    const refused = column(hosts, 'refusals');
    const bad = refused.reduce((sum, each) => sum + Number(each > 0), 0);
    const known = Array.from(delays).filter((each) => Number.isFinite(each));
    const first = `${counted(bad, 'host')} of ${figure(delays.length)} refused requests.`;
    if (known.length === 0) return `${first} No host was asked at a steady pace.`;
    const range = `${seconds(Math.min(...known))} to ${seconds(Math.max(...known))}`;
    const alike = known.length === 1 ? seconds(known[0]) : range;
    return `${first} Leave ${alike} between two requests of a host.`;
  },
};

export const crawlPrice: Reading = {
  objective: 'cost',
  unit: 'of the request’s objective, per unit of time',
  sentence({ answer }) {
    const { solution } = answer;
    const price = figure(number(solution, 'price'), 4);
    const rate = figure(number(solution, 'rate'), 4);
    const none = number(solution, 'withoutCrawl', 'pages');
    const left = none > 0 ? ` ${counted(none, 'page')} ${none === 1 ? 'is' : 'are'} never worth it.` : '';
    return `A crawl is worth making where it saves more than ${price}: that spends ${rate} crawls per unit of time.${left}`;
  },
};

export const embarrassmentWeights: Reading = {
  sentence({ request, answer }) {
    const own = numbers(answer.solution, 'weights');
    const weights = own.length > 0 ? own : Array.from(column(answer.solution?.pages, 'weight'));
    const ids = list(answer.solution, 'ids');
    const names = ids.length > 0 ? ids : cells(request.pages, 'id');
    const total = weights.reduce((sum, each) => sum + each, 0);
    let most = 0;
    for (let i = 1; i < weights.length; i++) if (weights[i] > weights[most]) most = i;
    const name = typeof names[most] === 'string' ? names[most] : `page ${most}`;
    return `A stale copy of ${name} embarrasses most: ${share(weights[most] / total)} of the weight of ${counted(weights.length, 'page')}.`;
  },
};

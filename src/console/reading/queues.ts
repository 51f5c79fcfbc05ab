/** In words: the answers about queues, crawlers and the laws of their times. */
import { figure } from '../format.ts';
import type { Answered } from '../pictures/answered.ts';
import { list, number, numbers, text } from '../pictures/read.ts';
import type { Reading } from './reading.ts';
import { compared, counted, listed, share } from './words.ts';

/** The largest number on the curve up to half as many crawlers again, to say what more would cost. */
function moreCrawlers({ answer, extras }: Answered, crawlers: number): string {
  const curve = [...list(answer, 'curve'), ...list(extras.get('curve')?.answer, 'curve')];
  const more = curve
    .map((point) => ({ count: number(point, 'crawlers'), cost: number(point, 'cost') }))
    .filter(({ count }) => count > crawlers && count <= 1.5 * crawlers)
    .sort((a, b) => b.count - a.count);
  const value = answer.objective?.value ?? Number.NaN;
  return more.length > 0 && value > 0 ? `; ${figure(more[0].count)} would cost ${compared(more[0].cost, value)}` : '';
}

export const crawlerCount: Reading = {
  objective: 'cost',
  unit: 'lost pages per unit of time',
  sentence(answered) {
    const { solution } = answered.answer;
    const crawlers = number(solution, 'crawlers');
    const lost = share(number(solution, 'lossProbability'));
    const idle = share(number(solution, 'starvationProbability'));
    return `Run ${counted(crawlers, 'crawler')}. ${lost} of pages are lost and the indexer idles ${idle} of the time${moreCrawlers(answered, crawlers)}.`;
  },
};

export const activationPolicy: Reading = {
  objective: 'cost',
  unit: 'lost pages per unit of time',
  sentence({ request, answer }) {
    const { solution } = answer;
    const mean = number(solution, 'activeCrawlers', 'mean');
    const max = number(solution, 'activeCrawlers', 'max');
    const fixed = number(answer, 'baseline', 'crawlers');
    const cost = number(answer, 'baseline', 'cost');
    const value = answer.objective?.value ?? Number.NaN;
    const lead =
      answer.status === 'evaluated' || request.policy !== undefined
        ? `This policy keeps ${figure(mean, 3)} crawlers active on average`
        : `Switch crawlers with the queue: ${figure(mean, 3)} are active on average, ${figure(max)} at most`;
    const idle = ` The indexer idles ${share(number(solution, 'starvationProbability'))} of the time.`;
    const baseline =
      Number.isFinite(cost) && value > 0
        ? ` The best fixed number, ${figure(fixed)}, would cost ${compared(cost, value)}.`
        : '';
    return `${lead}.${idle}${baseline}`;
  },
};

/** `3 up to length 2, then 1`. */
function modesInWords(modes: readonly number[], thresholds: readonly number[]): string {
  return listed(
    modes.map((mode, i) =>
      i < thresholds.length
        ? `${figure(mode)} while the queue holds at most ${figure(thresholds[i])}`
        : `${figure(mode)} beyond`,
    ),
  );
}

/** What a controller that sees phases does; empty for one that goes by the queue's length. */
function bySight(answer: unknown, modes: readonly number[]): string {
  if (list(answer, 'solution', 'crawlersByState', 'table').length === 0) return '';
  const [least, most] = [Math.min(...modes), Math.max(...modes)];
  const tables = list(answer, 'mixture').length;
  const mixed = tables > 1 ? `; ${counted(tables, 'table')} share the time, to keep the limits` : '';
  return `Activate ${figure(least)} to ${figure(most)} crawlers by queue length and phases${mixed}.`;
}

/** What is left of that where the phases are believed. */
function believed(answer: unknown): string {
  const left = list(answer, 'filter', 'acting')
    .map((acting) => number(acting, 'survives'))
    .filter(Number.isFinite);
  if (left.length === 0) return '';
  const best = Math.max(...left);
  return best > 0
    ? ` Where the phases are not seen, a belief about them keeps ${share(best)} of what seeing them saves, as simulated.`
    : ' Where the phases are not seen, a belief about them keeps nothing of what seeing them saves, as simulated.';
}

export const thresholdPolicy: Reading = {
  objective: 'cost',
  unit: 'of the request’s costs, per unit of time',
  sentence({ answer }) {
    const { solution } = answer;
    const measures = solution?.measures;
    const modes = numbers(solution, 'modes');
    const lost = share(number(measures, 'lossProbability'));
    const expired = share(number(measures, 'obsolescenceProbability'));
    const policy =
      modes.length === 1
        ? `Keep ${counted(modes[0], 'crawler')} active always.`
        : bySight(answer, modes) ||
          `Activate crawlers by queue length: ${modesInWords(modes, numbers(solution, 'thresholds'))}.`;
    return `${policy} ${lost} of pages are lost, ${expired} expire, and the system is empty ${share(number(measures, 'starvationProbability'))} of the time.${believed(answer)}`;
  },
};

export const simulationsQueue: Reading = {
  sentence({ request, answer }) {
    const mean = (name: string): number => number(answer.solution, 'measures', name, 'mean');
    const runs = number(request, 'replications');
    const parts = [
      [mean('lossProbability'), (value: number) => `${share(value)} of pages were lost`],
      [mean('starvationProbability'), (value: number) => `the system was empty ${share(value)} of the time`],
      [mean('activeCrawlers'), (value: number) => `${figure(value, 3)} crawlers were active on average`],
      [mean('queueLength'), (value: number) => `${figure(value, 3)} pages were in it`],
    ] as const;
    const said = parts.flatMap(([value, say]) => (Number.isFinite(value) ? [say(value)] : []));
    return `In ${Number.isFinite(runs) ? counted(runs, 'run') : 'the runs'}, ${listed(said)}.`;
  },
};

export const updateProcess: Reading = {
  sentence({ request, answer }) {
    const best = list(answer.solution, 'candidates')[0];
    const gaps = list(request, 'gaps').length;
    const period = number(answer.solution, 'periodicity', 'period');
    const proposed = Reflect.get(Object(Object(answer.solution).periodicity), 'proposed') === true;
    const clock = proposed ? ` The updates follow a clock of period ${figure(period, 3)}.` : '';
    return `Of the laws tried, ${text(best, 'distribution', 'type')} describes the ${gaps > 0 ? `${figure(gaps)} ` : ''}gaps between updates best.${clock}`;
  },
};

export const arrivalProcess: Reading = {
  sentence({ answer }) {
    const { solution } = answer;
    const mean = number(solution, 'observed', 'mean');
    const largest = Math.max(1, ...list(solution, 'batchSizes').map((batch) => number(batch, 'size')));
    const batches = number(solution, 'batches');
    return `${counted(batches, 'batch', 'batches')} arrive every ${figure(mean, 3)} units of time on average, up to ${counted(largest, 'page')} at once; the fitted process has the same mean and variance.`;
  },
};

export const serviceTime: Reading = {
  sentence({ answer }) {
    const { solution } = answer;
    const mean = number(solution, 'observed', 'mean');
    const scv = number(solution, 'observed', 'scv');
    const spread = Number.isFinite(scv) ? `, with ${figure(scv, 3)} times the variance of an exponential law` : '';
    return `Service takes ${figure(mean, 3)} on average${spread}; a ${text(solution, 'distribution', 'type')} law fits it.`;
  },
};

/**
 * The five interpretations of "the pages delivered by l active crawlers", each turned into one batch Markovian arrival
 * process per mode, ascending in crawler count.
 *
 * - per-mode: D_k^(l) given as they are (interpretation 4 of the paper);
 * - superposition: independent processes; those of the first l crawlers deliver, the others only change phase
 *   (interpretation 1, with Kronecker sums: D_0^(l) = D0⊕…⊕D0 ⊕ D^(l+1)(1)⊕…, where the paper prints products);
 * - thinning: batches of one process kept with probability q_l (interpretation 2);
 * - marked: one process whose batches carry the crawler that brought them (interpretation 3);
 * - scaled: r_l·D_k, the process run faster (section 7, real data).
 *
 * Source: Avrachenkov et al. (2012), section 2.
 */
import { ConditionNotMet } from '../condition.ts';
import { checkedPhases, checkedProcess, fundamentalRate, matrixPaths } from './arrival-checks.ts';
import type { ArrivalModel, Matrix, Mode } from './queue.ts';
import { checkArrivalSize, checkRate } from './ranges.ts';

type Model<Name extends ArrivalModel['model']> = Extract<ArrivalModel, { model: Name }>;

/** The product of the crawlers' phase counts may not exceed this in a superposition. */
const maxArrivalPhases = 64;

/**
 * The modes of an arrival model, ascending in crawlers.
 *
 * @param withNone offer a mode without crawlers too (per-mode arrivals have it where they list 0 crawlers). Phases then
 * go on changing as they do with all crawlers active; under `scaled`, where crawlers are the speed, they stand still
 * @throws ConditionNotMet with the path of the offending value in the request
 */
export function modesOfArrivals(arrivals: ArrivalModel, withNone = false): Mode[] {
  switch (arrivals.model) {
    case 'per-mode':
      return perMode(arrivals.modes);
    case 'superposition':
      return modesOfMarked(superposition(arrivals), withNone);
    case 'thinning':
      return modesOfMarked(thinning(arrivals), withNone);
    case 'marked':
      return modesOfMarked(marking(arrivals), withNone);
    case 'scaled':
      return scaling(arrivals, withNone);
  }
}

/** A mode of these matrices, without the empty ones at the end. */
function mode(crawlers: number, matrices: readonly Float64Array[], path: Mode['path']): Mode {
  for (const matrix of matrices) for (const rate of matrix) checkRate(rate, path);
  const last = matrices.findLastIndex((matrix, batch) => batch > 0 && matrix.some((rate) => rate > 0));
  if (last < 1) {
    throw new ConditionNotMet(path, 'no-arrivals', 'brings no pages: its rates are 0 or vanish; give larger ones');
  }
  return { crawlers, matrices: matrices.slice(0, last + 1), arrivalRate: fundamentalRate(matrices), path };
}

/** The mode in which no crawler is active. */
const noCrawlers = (changes: Float64Array, path: Mode['path']): Mode => ({
  crawlers: 0,
  matrices: [changes],
  arrivalRate: 0,
  path,
});

function perMode(modes: Model<'per-mode'>['modes']): Mode[] {
  const seen = new Map<number, number>();
  const phases = modes[0].matrices[0]?.length ?? 0;
  const assembled = modes.map(({ crawlers, matrices }, position) => {
    const path = ['arrivals', 'modes', position];
    const earlier = seen.get(crawlers);
    if (earlier !== undefined) {
      throw new ConditionNotMet(
        [...path, 'crawlers'],
        'duplicate-mode',
        `is ${crawlers}, as in mode ${earlier}; a mode is known by its crawler count, so each count is given once`,
      );
    }
    seen.set(crawlers, position);
    if (matrices.length > 0 && matrices[0].length !== phases) {
      throw new ConditionNotMet(
        [...path, 'matrices', 0],
        'phases-differ',
        `has ${matrices[0].length} phases, mode 0 has ${phases}; all modes share one set of arrival phases`,
      );
    }
    checkArrivalSize(modes.length, matrices.length, phases);
    return crawlers === 0
      ? noCrawlers(checkedPhases(matrices, matrixPaths(path), phases), path)
      : mode(crawlers, checkedProcess(matrices, matrixPaths(path)), path);
  });
  return assembled.sort((a, b) => a.crawlers - b.crawlers);
}

/** One process whose batches carry the crawler that brought them; each mode delivers a share of each crawler's. */
interface MarkedProcess {
  /** Rates of what changes phases alone. */
  readonly changes: Float64Array;
  readonly batches: readonly { readonly crawler: number; readonly pages: number; readonly rates: Float64Array }[];
  readonly modes: number;
  /** The share of a crawler's batches that are delivered in mode 0 (one active crawler), 1, …; none in mode −1. */
  share(crawler: number, mode: number): number;
  readonly path: readonly [string, string];
}

/** Its modes: the batches that are not delivered change phases only. */
function modesOfMarked({ changes, batches, modes, share, path }: MarkedProcess, withNone: boolean): Mode[] {
  const largest = batches.reduce((most, { pages }) => Math.max(most, pages), 0);
  checkArrivalSize(modes, largest + 1, Math.round(Math.sqrt(changes.length)));
  const matricesOf = (position: number): Float64Array[] => {
    const matrices = Array.from({ length: largest + 1 }, () => new Float64Array(changes.length));
    matrices[0].set(changes);
    for (const { crawler, pages, rates } of batches) {
      const delivered = share(crawler, position);
      for (const [cell, rate] of rates.entries()) {
        matrices[pages][cell] += delivered * rate;
        matrices[0][cell] += (1 - delivered) * rate;
      }
    }
    return matrices;
  };
  const active = Array.from({ length: modes }, (_, position) =>
    mode(position + 1, matricesOf(position), [...path, position]),
  );
  return withNone ? [noCrawlers(matricesOf(-1)[0], path), ...active] : active;
}

/** Of all crawlers, those up to the mode's deliver. */
const firstCrawlersShare = (crawler: number, position: number): number => (crawler <= position ? 1 : 0);

function superposition({ crawlers }: Model<'superposition'>): MarkedProcess {
  const processes = crawlers.map(({ matrices }, position) =>
    checkedProcess(matrices, matrixPaths(['arrivals', 'crawlers', position])),
  );
  const phases = processes.map((matrices) => Math.round(Math.sqrt(matrices[0].length)));
  const total = phases.reduce((product, count) => product * count, 1);
  if (total > maxArrivalPhases) {
    throw new ConditionNotMet(
      ['arrivals', 'crawlers'],
      'too-many-phases',
      `have ${phases.join('·')} = ${total} joint arrival phases; at most ${maxArrivalPhases} are taken: describe the ` +
        'crawlers by fewer phases, or use the scaled, thinning or per-mode model',
    );
  }
  const largest = processes.reduce((most, matrices) => Math.max(most, matrices.length), 0);
  checkArrivalSize(crawlers.length, largest, total);
  const changes = new Float64Array(total * total);
  const batches = processes.flatMap(([d0, ...delivered], crawler) => {
    const before = phases.slice(0, crawler).reduce((product, count) => product * count, 1);
    addKronecker(changes, d0, before, phases[crawler], total);
    return delivered.map((matrix, k) => {
      const rates = new Float64Array(total * total);
      addKronecker(rates, matrix, before, phases[crawler], total);
      return { crawler, pages: k + 1, rates };
    });
  });
  return { changes, batches, modes: crawlers.length, share: firstCrawlersShare, path: ['arrivals', 'crawlers'] };
}

/** out += I_before ⊗ A ⊗ I_after, A of the given size, all of `total` states. */
function addKronecker(out: Float64Array, a: Float64Array, before: number, size: number, total: number): void {
  const after = total / (before * size);
  for (let b = 0; b < before; b++) {
    for (const [cell, rate] of a.entries()) {
      const [row, column] = [b * size + Math.floor(cell / size), b * size + (cell % size)];
      for (let c = 0; c < after; c++) out[(row * after + c) * total + column * after + c] += rate;
    }
  }
}

function thinning({ matrices, probabilities }: Model<'thinning'>): MarkedProcess {
  const [changes, ...delivered] = checkedProcess(matrices, matrixPaths(['arrivals']));
  const wrong = probabilities.findIndex((kept) => !(kept > 0 && kept <= 1));
  if (wrong >= 0) {
    throw new ConditionNotMet(
      ['arrivals', 'probabilities', wrong],
      probabilities[wrong] === 0 ? 'no-arrivals' : 'not-a-probability',
      `is ${probabilities[wrong]}; a thinning probability is above 0 (a mode needs arrivals) and at most 1`,
    );
  }
  return {
    changes,
    batches: delivered.map((rates, k) => ({ crawler: 0, pages: k + 1, rates })),
    modes: probabilities.length,
    share: (_, position) => probabilities[position] ?? 0,
    path: ['arrivals', 'probabilities'],
  };
}

function marking({ d0, crawlers }: Model<'marked'>): MarkedProcess {
  // D0 and every crawler's batches are one process: checked once, in the caller's terms.
  const marks = crawlers.flatMap((batches, crawler) =>
    batches.map((matrix, k) => ({ crawler, pages: k + 1, matrix, place: ['arrivals', 'crawlers', crawler, k] })),
  );
  const whole: Matrix[] = [d0, ...marks.map(({ matrix }) => matrix)];
  const [changes, ...delivered] = checkedProcess(whole, {
    whole: ['arrivals', 'crawlers'],
    at: (index) => (index === 0 ? ['arrivals', 'd0'] : marks[index - 1].place),
  });
  const batches = marks.map(({ crawler, pages }, i) => ({ crawler, pages, rates: delivered[i] }));
  return { changes, batches, modes: crawlers.length, share: firstCrawlersShare, path: ['arrivals', 'crawlers'] };
}

function scaling({ matrices: written, factors }: Model<'scaled'>, withNone: boolean): Mode[] {
  const matrices = checkedProcess(written, matrixPaths(['arrivals']));
  checkArrivalSize(factors.length, matrices.length, written[0].length);
  const active = factors.map((factor, position) => {
    const path = ['arrivals', 'factors', position];
    if (factor > 0)
      return mode(
        position + 1,
        matrices.map((matrix) => matrix.map((rate) => rate * factor)),
        path,
      );
    throw new ConditionNotMet(
      path,
      factor === 0 ? 'no-arrivals' : 'negative-rate',
      `is ${factor}; a factor is above 0 (a mode needs arrivals)`,
    );
  });
  return withNone ? [noCrawlers(new Float64Array(matrices[0].length), ['arrivals', 'factors']), ...active] : active;
}

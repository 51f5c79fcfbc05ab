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
import { checkGenerator, checkProcess, fundamentalRate, matrixPaths } from './arrival-checks.ts';
import type { ArrivalModel, Matrix, Mode } from './queue.ts';
import { checkArrivalSize, checkRate } from './ranges.ts';

type Model<Name extends ArrivalModel['model']> = Extract<ArrivalModel, { model: Name }>;

const crawlersPath = ['arrivals', 'crawlers'];
/** The product of the crawlers' phase counts may not exceed this in a superposition. */
const maxArrivalPhases = 64;

/**
 * The modes of an arrival model, ascending in crawlers.
 *
 * @param withIdleMode offer a mode without crawlers too (per-mode arrivals have it where they list 0 crawlers). Its phases
 * change as they do with all crawlers active; under `scaled`, where crawlers are the speed, they stand still
 * @throws ConditionNotMet with the path of the offending value in the request
 */
export function modesOfArrivals(arrivals: ArrivalModel, withIdleMode = false): Mode[] {
  switch (arrivals.model) {
    case 'per-mode':
      return modesPerCount(arrivals.modes);
    case 'superposition':
      return modesOf(superpose(arrivals), withIdleMode);
    case 'thinning':
      return modesOf(thin(arrivals), withIdleMode);
    case 'marked':
      return modesOf(mark(arrivals), withIdleMode);
    case 'scaled':
      return modesOf(scale(arrivals), withIdleMode);
  }
}

/** A process that the number of active crawlers controls. */
interface ControlledProcess {
  readonly modes: number;
  /** D_0, D_1, … of the mode at a position, in which position + 1 crawlers are active; at −1 none is. */
  matricesOf(position: number): Float64Array[];
  readonly path: readonly string[];
}

function modesOf({ modes, matricesOf, path }: ControlledProcess, withIdleMode: boolean): Mode[] {
  const activeModes = Array.from({ length: modes }, (_, position) =>
    createMode(position + 1, matricesOf(position), [...path, position]),
  );
  return withIdleMode ? [idleMode(matricesOf(-1)[0], path), ...activeModes] : activeModes;
}

/** A mode of these matrices; all-zero matrices at the end are left out. */
function createMode(crawlers: number, matrices: readonly Float64Array[], path: Mode['path']): Mode {
  for (const matrix of matrices) for (const rate of matrix) checkRate(rate, path);
  const last = matrices.findLastIndex((matrix, batch) => batch > 0 && matrix.some((rate) => rate > 0));
  if (last < 1) {
    throw new ConditionNotMet(path, 'no-arrivals', 'brings no pages: its rates are 0 or vanish; give larger ones');
  }
  return { crawlers, matrices: matrices.slice(0, last + 1), arrivalRate: fundamentalRate(matrices), path };
}

/** The mode in which no crawler is active. */
const idleMode = (changes: Float64Array, path: Mode['path']): Mode => ({
  crawlers: 0,
  matrices: [changes],
  arrivalRate: 0,
  path,
});

function modesPerCount(modes: Model<'per-mode'>['modes']): Mode[] {
  const positionByCount = new Map<number, number>();
  const phases = modes[0].matrices[0]?.length ?? 0;
  const arrivalModes = modes.map(({ crawlers, matrices }, position) => {
    const path = ['arrivals', 'modes', position];
    const firstPosition = positionByCount.get(crawlers);
    if (firstPosition !== undefined) {
      throw new ConditionNotMet(
        [...path, 'crawlers'],
        'duplicate-mode',
        `is ${crawlers}, as in mode ${firstPosition}; a mode is known by its crawler count, so each count is given once`,
      );
    }
    positionByCount.set(crawlers, position);
    if (matrices.length > 0 && matrices[0].length !== phases) {
      throw new ConditionNotMet(
        [...path, 'matrices', 0],
        'phases-differ',
        `has ${matrices[0].length} phases, mode 0 has ${phases}; all modes share one set of arrival phases`,
      );
    }
    const paths = matrixPaths(path);
    if (crawlers > 0) return createMode(crawlers, checkProcess(matrices, paths), path);
    if (matrices.length > 1) {
      const message = 'brings pages with 0 crawlers active; give D0 alone, or name a crawler count above 0';
      throw new ConditionNotMet(paths.at(1), 'not-applicable', message);
    }
    return idleMode(checkGenerator(matrices, paths)[0], path);
  });
  return arrivalModes.sort((a, b) => a.crawlers - b.crawlers);
}

/** One process whose batches carry the crawler that brought them; each mode delivers a share of each crawler's. */
interface MarkedProcess {
  /** Rates of the phase changes that bring no batch. */
  readonly changes: Float64Array;
  readonly batches: readonly { readonly crawler: number; readonly pages: number; readonly rates: Float64Array }[];
  readonly modes: number;
  /** The share of a crawler's batches that a mode delivers: mode 0 has one active crawler, mode −1 none. */
  share(crawler: number, mode: number): number;
  readonly path: readonly string[];
}

/** The process of the delivered batches; a batch that is not delivered only changes the phase. */
function deliver({ changes, batches, modes, share, path }: MarkedProcess): ControlledProcess {
  const largest = batches.reduce((maximum, { pages }) => Math.max(maximum, pages), 0);
  checkArrivalSize(modes, largest + 1, Math.round(Math.sqrt(changes.length)));
  const matricesOf = (position: number): Float64Array[] => {
    const matrices = [changes.slice(), ...Array.from({ length: largest }, () => new Float64Array(changes.length))];
    for (const { crawler, pages, rates } of batches) {
      const deliveredShare = share(crawler, position);
      for (const [cell, rate] of rates.entries()) {
        matrices[pages][cell] += deliveredShare * rate;
        matrices[0][cell] += (1 - deliveredShare) * rate;
      }
    }
    return matrices;
  };
  return { modes, matricesOf, path };
}

/** 1 for the first position + 1 crawlers, which deliver in the mode at this position; 0 for the other crawlers. */
const firstCrawlersShare = (crawler: number, position: number): number => (crawler <= position ? 1 : 0);

function superpose({ crawlers }: Model<'superposition'>): ControlledProcess {
  const processes = crawlers.map(({ matrices }, position) =>
    checkProcess(matrices, matrixPaths([...crawlersPath, position])),
  );
  const phases = processes.map((matrices) => Math.round(Math.sqrt(matrices[0].length)));
  const total = phases.reduce((product, count) => product * count, 1);
  if (total > maxArrivalPhases) {
    throw new ConditionNotMet(
      crawlersPath,
      'too-many-phases',
      `have ${phases.join('·')} = ${total} joint arrival phases; at most ${maxArrivalPhases} are taken: describe the ` +
        'crawlers by fewer phases, or use the scaled, thinning or per-mode model',
    );
  }
  const largest = processes.reduce((maximum, matrices) => Math.max(maximum, matrices.length), 0);
  checkArrivalSize(crawlers.length, largest, total);
  const changes = new Float64Array(total * total);
  const batches = processes.flatMap(([d0, ...batchMatrices], crawler) => {
    const phasesBefore = phases.slice(0, crawler).reduce((product, count) => product * count, 1);
    addKronecker(changes, d0, phasesBefore, phases[crawler], total);
    return batchMatrices.map((matrix, k) => {
      const rates = new Float64Array(total * total);
      addKronecker(rates, matrix, phasesBefore, phases[crawler], total);
      return { crawler, pages: k + 1, rates };
    });
  });
  return deliver({ changes, batches, modes: crawlers.length, share: firstCrawlersShare, path: crawlersPath });
}

/** out += I_before ⊗ A ⊗ I_after, A of the given size, all of `total` states. */
function addKronecker(out: Float64Array, a: Float64Array, phasesBefore: number, size: number, total: number): void {
  const phasesAfter = total / (phasesBefore * size);
  for (let b = 0; b < phasesBefore; b++) {
    for (const [cell, rate] of a.entries()) {
      const [row, column] = [b * size + Math.floor(cell / size), b * size + (cell % size)];
      for (let c = 0; c < phasesAfter; c++) out[(row * phasesAfter + c) * total + column * phasesAfter + c] += rate;
    }
  }
}

function thin({ matrices, probabilities }: Model<'thinning'>): ControlledProcess {
  const [changes, ...batchMatrices] = checkProcess(matrices, matrixPaths(['arrivals']));
  return deliver({
    changes,
    batches: batchMatrices.map((rates, k) => ({ crawler: 0, pages: k + 1, rates })),
    modes: probabilities.length,
    share: (_, position) => probabilities[position] ?? 0,
    path: ['arrivals', 'probabilities'],
  });
}

function mark({ d0, crawlers }: Model<'marked'>): ControlledProcess {
  // D0 and every crawler's batches are one process: checked once, in the caller's terms.
  const marks = crawlers.flatMap((batches, crawler) =>
    batches.map((matrix, k) => ({ crawler, pages: k + 1, matrix, place: [...crawlersPath, crawler, k] })),
  );
  const processMatrices: Matrix[] = [d0, ...marks.map(({ matrix }) => matrix)];
  const [changes, ...batchMatrices] = checkProcess(processMatrices, {
    process: crawlersPath,
    at: (index) => (index === 0 ? ['arrivals', 'd0'] : marks[index - 1].place),
  });
  const batches = marks.map(({ crawler, pages }, i) => ({ crawler, pages, rates: batchMatrices[i] }));
  return deliver({ changes, batches, modes: crawlers.length, share: firstCrawlersShare, path: crawlersPath });
}

function scale({ matrices: requestMatrices, factors }: Model<'scaled'>): ControlledProcess {
  const matrices = checkProcess(requestMatrices, matrixPaths(['arrivals']));
  checkArrivalSize(factors.length, matrices.length, requestMatrices[0].length);
  return {
    modes: factors.length,
    matricesOf: (position) => matrices.map((matrix) => matrix.map((rate) => rate * (factors[position] ?? 0))),
    path: ['arrivals', 'factors'],
  };
}

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
import { checkedPhases, checkedProcess, fundamentalRate, listedAt } from './arrival-checks.ts';
import type { ArrivalModel, Matrix, Mode } from './queue.ts';
import { checkArrivalSize, checkRate } from './ranges.ts';

type Matrices = readonly Float64Array[];

/** The product of the crawlers' phase counts may not exceed this in a superposition. */
const maxArrivalPhases = 64;

/**
 * The modes of an arrival model, ascending in crawlers.
 *
 * @param withNone offer a mode without crawlers too (per-mode arrivals have it where they list 0 crawlers)
 * @throws ConditionNotMet with the path of the offending value in the request
 */
export function modesOfArrivals(arrivals: ArrivalModel, withNone = false): Mode[] {
  const modes = modesOf(arrivals);
  return withNone && modes[0].crawlers > 0 && arrivals.model !== 'per-mode'
    ? [noCrawlers(arrivals, modes), ...modes]
    : modes;
}

function modesOf(arrivals: ArrivalModel): Mode[] {
  switch (arrivals.model) {
    case 'per-mode':
      return perMode(arrivals.modes);
    case 'superposition':
      return superposition(arrivals.crawlers);
    case 'thinning':
      return thinning(arrivals.matrices, arrivals.probabilities);
    case 'marked':
      return marked(arrivals.d0, arrivals.crawlers);
    case 'scaled':
      return scaled(arrivals.matrices, arrivals.factors);
  }
}

/**
 * The mode in which no crawler is active. Phases go on changing as they do with all crawlers active, and no page is
 * delivered. Under `scaled`, where crawlers are the speed of the process, the phase stands still.
 */
function noCrawlers(arrivals: ArrivalModel, modes: readonly Mode[]): Mode {
  const { matrices } = modes[modes.length - 1];
  const changes = new Float64Array(matrices[0].length);
  if (arrivals.model !== 'scaled') {
    for (const matrix of matrices) for (const [cell, rate] of matrix.entries()) changes[cell] += rate;
    balanceDiagonal(changes);
  }
  return { crawlers: 0, matrices: [changes], arrivalRate: 0 };
}

/** The diagonal as minus the other rates of its row: those of pages that stay in their phase are no change any more. */
function balanceDiagonal(rates: Float64Array): void {
  const n = Math.round(Math.sqrt(rates.length));
  for (let row = 0; row < n; row++) {
    let out = 0;
    for (let column = 0; column < n; column++) if (column !== row) out += rates[row * n + column];
    rates[row * n + row] = -out;
  }
}

/** A mode of these matrices, without the empty ones at the end. */
function mode(crawlers: number, matrices: Matrices, path: readonly (string | number)[]): Mode {
  for (const matrix of matrices) for (const rate of matrix) checkRate(rate, path);
  const last = matrices.findLastIndex((matrix, batch) => batch > 0 && matrix.some((rate) => rate > 0));
  if (last < 1) {
    throw new ConditionNotMet(path, 'no-arrivals', 'brings no pages: its rates vanish; give larger ones');
  }
  return { crawlers, matrices: matrices.slice(0, last + 1), arrivalRate: fundamentalRate(matrices) };
}

function perMode(modes: readonly { readonly crawlers: number; readonly matrices: readonly Matrix[] }[]): Mode[] {
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
    if (crawlers === 0)
      return { crawlers, matrices: [checkedPhases(matrices, listedAt(path), phases)], arrivalRate: 0 };
    return mode(crawlers, checkedProcess(matrices, listedAt(path)), path);
  });
  return assembled.sort((a, b) => a.crawlers - b.crawlers);
}

function superposition(crawlers: readonly { readonly matrices: readonly Matrix[] }[]): Mode[] {
  const processes = crawlers.map(({ matrices }, position) =>
    checkedProcess(matrices, listedAt(['arrivals', 'crawlers', position])),
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
  const largestBatch = Math.max(...processes.map((matrices) => matrices.length - 1));
  checkArrivalSize(crawlers.length, largestBatch + 1, total);
  return processes.map((_, last) => {
    const matrices = Array.from({ length: largestBatch + 1 }, () => new Float64Array(total * total));
    for (const [position, process] of processes.entries()) {
      const before = phases.slice(0, position).reduce((product, count) => product * count, 1);
      for (const [batch, matrix] of process.entries()) {
        // The batches of a crawler that is not active are phase changes only.
        addInPlace(matrices[position <= last ? batch : 0], matrix, before, phases[position], total);
      }
    }
    return mode(last + 1, matrices, ['arrivals', 'crawlers', last]);
  });
}

/** out += I_before ⊗ A ⊗ I_after, A of the given size, all of `total` states. */
function addInPlace(out: Float64Array, a: Float64Array, before: number, size: number, total: number): void {
  const after = total / (before * size);
  for (let b = 0; b < before; b++) {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        const rate = a[i * size + j];
        if (rate === 0) continue;
        for (let c = 0; c < after; c++) {
          out[((b * size + i) * after + c) * total + (b * size + j) * after + c] += rate;
        }
      }
    }
  }
}

function thinning(written: readonly Matrix[], probabilities: readonly number[]): Mode[] {
  const matrices = checkedProcess(written, listedAt(['arrivals']));
  checkArrivalSize(probabilities.length, matrices.length, written[0].length);
  return probabilities.map((kept, position) => {
    if (!(kept > 0 && kept <= 1)) {
      throw new ConditionNotMet(
        ['arrivals', 'probabilities', position],
        kept === 0 ? 'no-arrivals' : 'not-a-probability',
        `is ${kept}; a thinning probability is above 0 (a mode needs arrivals) and at most 1`,
      );
    }
    const thinned = matrices.map((matrix, batch) => (batch === 0 ? matrix.slice() : matrix.map((rate) => rate * kept)));
    for (const matrix of matrices.slice(1)) {
      for (let cell = 0; cell < matrix.length; cell++) thinned[0][cell] += matrix[cell] * (1 - kept);
    }
    return mode(position + 1, thinned, ['arrivals', 'probabilities', position]);
  });
}

function marked(d0: Matrix, crawlers: readonly (readonly Matrix[])[]): Mode[] {
  const phases = d0.length;
  const sizes = crawlers.map((batches) => batches.length);
  // D0 and every crawler's batches are one process; `whole` lists them so that it is checked once, in the caller's
  // terms.
  const places: (readonly (string | number)[])[] = [['arrivals', 'd0']];
  const whole: Matrix[] = [d0];
  for (const [crawler, batches] of crawlers.entries()) {
    for (const [position, matrix] of batches.entries()) {
      places.push(['arrivals', 'crawlers', crawler, position]);
      whole.push(matrix);
    }
  }
  const flat = checkedProcess(whole, { whole: ['arrivals', 'crawlers'], at: (index) => places[index] });
  const largestBatch = Math.max(...sizes);
  checkArrivalSize(crawlers.length, largestBatch + 1, phases);
  return crawlers.map((_, last) => {
    const matrices = Array.from({ length: largestBatch + 1 }, () => new Float64Array(phases * phases));
    matrices[0].set(flat[0]);
    let index = 1;
    let arrives = false;
    for (const [crawler, size] of sizes.entries()) {
      for (let batch = 1; batch <= size; batch++, index++) {
        const target = matrices[crawler <= last ? batch : 0];
        for (let cell = 0; cell < target.length; cell++) target[cell] += flat[index][cell];
        arrives ||= crawler <= last && flat[index].some((rate) => rate > 0);
      }
    }
    if (!arrives) {
      throw new ConditionNotMet(
        ['arrivals', 'crawlers', last],
        'no-arrivals',
        `mode ${last + 1} (crawlers 1 to ${last + 1}) brings no pages; give some D_k above 0`,
      );
    }
    return mode(last + 1, matrices, ['arrivals', 'crawlers', last]);
  });
}

function scaled(written: readonly Matrix[], factors: readonly number[]): Mode[] {
  const matrices = checkedProcess(written, listedAt(['arrivals']));
  checkArrivalSize(factors.length, matrices.length, written[0].length);
  return factors.map((factor, position) => {
    if (!(factor > 0)) {
      throw new ConditionNotMet(
        ['arrivals', 'factors', position],
        factor === 0 ? 'no-arrivals' : 'negative-rate',
        `is ${factor}; a factor is above 0 (a mode needs arrivals)`,
      );
    }
    return mode(
      position + 1,
      matrices.map((matrix) => matrix.map((rate) => rate * factor)),
      ['arrivals', 'factors', position],
    );
  });
}

/**
 * From a queue as the caller describes it to the queue the solvers work on. Every condition of the model is checked
 * here, once, and a violation is thrown as {@link ConditionNotMet} with the path in the caller's terms.
 *
 * O(N·(k_max·W² + W³)).
 */
import { type Warning, warning } from '../answer.ts';
import { ConditionNotMet } from '../condition.ts';
import { modesOfArrivals } from './arrival-models.ts';
import { assemblePhaseType, recogniseExponential } from './phase-type.ts';
import type { Mode, Queue, QueueDescription } from './queue.ts';

/**
 * @returns the assembled queue with the allowed modes, ascending in crawlers, and warnings for the caller
 * @throws ConditionNotMet for every condition of the model that is not met
 */
export function assembleQueue(description: QueueDescription): { queue: Queue; warnings: Warning[] } {
  const { capacity, arrivals } = description;
  const admission = description.admission ?? 'partial';
  const warnings: Warning[] = [];
  const modes = allowedModes(modesOfArrivals(arrivals, description.modes?.includes(0)), description.modes);
  if (modes.every(({ crawlers }) => crawlers === 0)) {
    throw new ConditionNotMet(['modes'], 'no-modes', 'has no count above 0; a mode that brings pages is needed');
  }
  warnOfOrder(modes, warnings);
  const largestBatch = Math.max(...modes.map((mode) => mode.matrices.length - 1));
  if (admission === 'complete-rejection') checkSomeBatchFits(modes, capacity);
  const service = assemblePhaseType(description.service, ['service']);
  const obsolescence =
    description.obsolescence === null
      ? null
      : recogniseExponential(assemblePhaseType(description.obsolescence, ['obsolescence']));
  const queue: Queue = {
    capacity,
    topLevel: admission === 'complete-admission' ? capacity - 1 + largestBatch : capacity,
    admission,
    arrivalPhases: Math.round(Math.sqrt(modes[0].matrices[0].length)),
    largestBatch,
    modes,
    service,
    obsolescence,
  };
  return { queue, warnings };
}

function allowedModes(modes: readonly Mode[], counts: readonly number[] | undefined): Mode[] {
  if (counts === undefined) return [...modes];
  const selection = counts.map((crawlers, position) => {
    const mode = modes.find((candidate) => candidate.crawlers === crawlers);
    if (mode === undefined) {
      const countNames = modes.map((candidate) => candidate.crawlers).join(', ');
      throw new ConditionNotMet(['modes', position], 'unknown-mode', `is ${crawlers}; the arrivals know ${countNames}`);
    }
    if (counts.indexOf(crawlers) !== position) {
      throw new ConditionNotMet(['modes', position], 'duplicate-mode', `is ${crawlers}, given before; give it once`);
    }
    return mode;
  });
  return selection.sort((a, b) => a.crawlers - b.crawlers);
}

/** Warns where the arrival rates of the modes do not rise with their crawlers, so that thresholds make little sense. */
function warnOfOrder(modes: readonly Mode[], warnings: Warning[]): void {
  for (let position = 1; position < modes.length; position++) {
    const [previous, next] = [modes[position - 1], modes[position]];
    if (next.arrivalRate > previous.arrivalRate) continue;
    const detail =
      `${next.crawlers} crawlers bring ${next.arrivalRate} pages per time unit, ${previous.crawlers} bring ` +
      `${previous.arrivalRate}: the rate should rise with the crawlers for thresholds to make sense`;
    warnings.push(warning('modes-out-of-order', detail, next.path));
  }
}

function checkSomeBatchFits(modes: readonly Mode[], capacity: number): void {
  for (const mode of modes) {
    if (mode.crawlers === 0) continue;
    const smallest = mode.matrices.findIndex((matrix, batch) => batch > 0 && matrix.some((rate) => rate > 0));
    if (smallest > capacity) {
      throw new ConditionNotMet(
        ['capacity'],
        'no-batch-fits',
        `is ${capacity}, and with ${mode.crawlers} crawlers the smallest batch has ${smallest} pages: under complete ` +
          `rejection nothing would ever enter; give at least ${smallest}, or use partial admission`,
      );
    }
  }
}

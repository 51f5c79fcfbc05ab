/**
 * Request fields of the queue in front of the indexing engine, controlled by switching crawlers on and off.
 * Shared by threshold-policy and simulations/queue.
 */

import * as z from 'zod';
import { ConditionNotMet } from '../../../solvers/condition.ts';
import type { Distribution } from '../../../solvers/laws/index.ts';
import { type ArrivalModel, phaseTypeForm, type QueueDescription } from '../../../solvers/queue/index.ts';
import { crawlerCount, pageCount, plain } from '../../contract/field.ts';
import { list } from '../../contract/list.ts';
import { integer } from '../../contract/range.ts';
import type { Refuse } from '../../contract/refusals.ts';
import { arrivalCounts, arrivalModel, crawlerRate, poissonModes } from './arrivals.ts';
import { crawlerLimit, queueLimits } from './limits.ts';
import { phaseTypeOrRate } from './service.ts';

const modeCrawlers = integer({ atLeast: 0, atMost: crawlerLimit }).meta({ 'x-class': 'ModeCrawlers' });

/** The properties of a request that describe the queue. */
export const queueShape = {
  capacity: integer({ atLeast: 1, atMost: queueLimits.capacity }).meta(
    pageCount('K: most pages in the system, including the one being indexed', { lever: { factor: 4 } }),
  ),
  crawlerRate: crawlerRate.optional(),
  arrivals: arrivalModel.optional(),
  service: phaseTypeOrRate('Time to index a page: a phase-type law, or an exponential rate'),
  obsolescence: phaseTypeOrRate('Its law, as service')
    .nullable()
    .default(null)
    .meta(plain('Time after which a waiting page is worthless; left out or null: never')),
  admission: z
    .enum(['partial', 'complete-rejection', 'complete-admission'])
    .meta({ 'x-class': 'Admission' })
    .optional()
    .meta(
      plain('What happens to batches that do not fit; left out: partial, which admits what fits', { role: 'advanced' }),
    ),
  modes: list(modeCrawlers, { minItems: 1, maxItems: queueLimits.modes })
    .optional()
    .meta(crawlerCount('Crawler counts that may be used; left out: all; 0 never with an empty queue')),
};

/** The parsed queue fields. */
interface WrittenQueue extends Omit<QueueDescription, 'arrivals' | 'service' | 'obsolescence'> {
  readonly crawlerRate?: number | undefined;
  readonly arrivals?: ArrivalModel | undefined;
  readonly crawlers?: number | undefined;
  readonly service: Distribution;
  readonly obsolescence: Distribution | null;
}

/** Converts a queue to the solvers' form; null if it is refused. */
export function queueDescription(written: WrittenQueue, refuse: Refuse): QueueDescription | null {
  const { crawlerRate: lambda, arrivals, crawlers, service, obsolescence, modes, ...rest } = written;
  if ((lambda === undefined) === (arrivals === undefined)) {
    refuse(
      [],
      'one-of',
      'must have crawlerRate (pages of one crawler per time unit) or arrivals, one of them',
      written,
    );
    return null;
  }
  const laws = tryMake(refuse, written, () => ({
    service: phaseTypeForm(service, 'service'),
    obsolescence: obsolescence === null ? null : phaseTypeForm(obsolescence, 'obsolescence'),
  }));
  if (laws === null) return null;
  if (arrivals !== undefined) return { ...rest, ...laws, arrivals, modes: availableModes(arrivals, modes, crawlers) };
  const most = crawlers ?? modes?.reduce((a, b) => Math.max(a, b));
  if (lambda === undefined || most === undefined || most > queueLimits.modes) {
    const message =
      most === undefined
        ? 'is missing: with crawlerRate give how many crawlers there are'
        : `must be at most ${queueLimits.modes} here, where each count is a mode; got ${most}`;
    refuse(['crawlers'], most === undefined ? 'crawlers-missing' : 'too-many-modes', message, most);
    return null;
  }
  return { ...rest, ...laws, arrivals: poissonModes(lambda, most), modes };
}

/** The allowed crawler counts among those of the arrival model. */
function availableModes(
  arrivals: ArrivalModel,
  modes: readonly number[] | undefined,
  crawlers: number | undefined,
): readonly number[] | undefined {
  if (crawlers === undefined) return modes;
  return (modes ?? arrivalCounts(arrivals)).filter((count) => count <= crawlers);
}

/** The result of `make`; null, with a refusal, if a condition of the model fails. */
function tryMake<T>(refuse: Refuse, input: unknown, make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ConditionNotMet)) throw error;
    refuse(error.path, error.code, error.message, input);
    return null;
  }
}

/** Whether the repairs that a conflict offers repair: each is applied to its request, which is asked again. */
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { prepareParsed, run } from '../../src/dispatch/pipeline.ts';
import { operations } from '../../src/operations/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { limited, type Repair, repaired } from './requests/infeasible.ts';

const config = readConfig({});

interface Answer {
  readonly status: string;
  readonly detail?: string;
  readonly conflict?: { readonly repairs: readonly Repair[] };
}

function answered(name: string, body: object): Answer {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const ready = prepareParsed(operation, structuredClone(body), config);
  if (ready.kind !== 'ready') return { status: 'refused', detail: JSON.stringify(ready.problem) };
  const outcome = run(ready, unlimitedBudget(), now);
  return outcome.kind === 'answer' ? JSON.parse(outcome.json) : { status: 'refused', detail: outcome.problem.title };
}

export interface Tried {
  /** Requests without a solution, repairs that they offered, and requests that offered none. */
  readonly infeasible: number;
  readonly repairs: number;
  readonly unrepaired: number;
  /** Repairs after which there is no solution still, with their requests. */
  readonly failed: readonly string[];
}

/** Makes requests to an operation until so many of them have had no solution. */
export function tryRepairs(operation: string, { each, seed }: { readonly each: number; readonly seed: number }): Tried {
  const random = seededRandom(seed);
  const failed: string[] = [];
  let [infeasible, repairs, unrepaired] = [0, 0, 0];
  while (infeasible < each) {
    const body = limited(operation, random);
    const { status, detail, conflict } = answered(operation, body);
    if (status === 'refused') throw new Error(`${operation}: ${detail} of ${JSON.stringify(body)}`);
    if (status !== 'infeasible') continue;
    infeasible++;
    const offered = conflict?.repairs ?? [];
    if (offered.length === 0) unrepaired++;
    for (const repair of offered) {
      repairs++;
      const again = answered(operation, repaired(body, repair.changes));
      if (again.status !== 'optimal' && again.status !== 'feasible')
        failed.push(`${again.status} after "${repair.detail}" of ${JSON.stringify(body)}: ${again.detail ?? ''}`);
    }
  }
  return { infeasible, repairs, unrepaired, failed };
}

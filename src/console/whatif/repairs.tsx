/** One-click repairs of a request that has no solution. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import { solvePatiently } from '../api/solve.ts';
import type { Answered } from '../pictures/answered.ts';
import { type Repair, repairsOf, smallestRepair } from './repair.ts';

interface RepairsProps {
  readonly operation: string;
  readonly answered: Answered;
  readonly onRequest: (request: JsonObject) => void;
}

export function Repairs({ operation, answered, onRequest }: RepairsProps) {
  const [state, setState] = useState<'searching' | 'none' | ''>('');
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    setState('');
    return () => leaving.current?.abort();
  }, [answered]);
  const repairs = repairsOf(operation, answered);
  if (repairs.length === 0) return null;
  const apply = async (repair: Repair): Promise<void> => {
    if (repair.kind === 'exact') {
      onRequest(repair.request);
      return;
    }
    const controller = new AbortController();
    leaving.current = controller;
    setState('searching');
    const found = await smallestRepair(repair.search, async (request) => {
      const outcome = await solvePatiently(operation, request, controller.signal);
      return outcome.kind === 'answer' && outcome.answer.status !== 'infeasible';
    });
    if (found === undefined) setState('none');
    else onRequest(found.request);
  };
  return (
    <p class="repairs">
      Repair it:{' '}
      {repairs.map((repair) => (
        <button
          key={repair.label}
          type="button"
          data-repair={repair.kind}
          disabled={state === 'searching'}
          onClick={() => apply(repair).catch(() => undefined)}
        >
          {repair.label}
        </button>
      ))}
      <span role="status">
        {state === 'searching' ? ' looking for the smallest change…' : ''}
        {state === 'none' ? ' No change of this number alone makes a solution.' : ''}
      </span>
    </p>
  );
}

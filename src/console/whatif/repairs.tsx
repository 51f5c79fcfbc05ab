/** One-click repairs of a request that has no solution. */
import type { Answered } from '../api/answered.ts';
import type { JsonObject } from '../api/json.ts';
import { repairsOf } from './repair.ts';

interface RepairsProps {
  readonly answered: Answered;
  readonly onRequest: (request: JsonObject) => void;
}

export function Repairs({ answered, onRequest }: RepairsProps) {
  const repairs = repairsOf(answered);
  if (repairs.length === 0) return null;
  return (
    <p class="repairs">
      Repair it:{' '}
      {repairs.map(({ label, request }) => (
        <button key={label} type="button" data-repair onClick={() => onRequest(request)}>
          {label}
        </button>
      ))}
    </p>
  );
}

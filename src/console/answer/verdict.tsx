/** How good the answer is: its status, its objective, and how far from the best it can be. */

import { figure, gapText } from '../../words/numbers.ts';
import type { Answer } from '../api/answer.ts';
import { elapsed } from '../words/format.ts';
import { Terms } from '../words/terms.tsx';

/** How far the answer can be from the best, in words. */
export function proof({ status, objective }: Pick<Answer, 'status' | 'objective'>): string {
  const gap = objective?.gap ?? null;
  if (status === 'infeasible') return 'no solution exists';
  if (status === 'evaluated') return 'computed as given';
  if (gap === null) return 'a good answer, without a proved bound';
  if (gap <= 0) return 'proved the best there is';
  return status === 'optimal' ? `proved to ${figure(gap, 1)}` : `at most ${gapText(gap)} above the best there is`;
}

interface VerdictProps {
  readonly answer: Answer;
  readonly elapsedMs: number;
}

export function Verdict({ answer, elapsedMs }: VerdictProps) {
  const { status, objective, statistics } = answer;
  return (
    <div class="verdict">
      <span class={`badge ${status}`} data-status={status}>
        {status}
      </span>
      {objective ? (
        <dl>
          <div>
            <dt>
              <Terms text={objective.measure ?? 'objective'} />
              {objective.unit && objective.unit !== objective.measure ? (
                <span class="unit-of"> ({objective.unit})</span>
              ) : null}
            </dt>
            <dd data-objective={objective.value}>{figure(objective.value, 6)}</dd>
          </div>
          {objective.bound === null || objective.bound === objective.value ? null : (
            <div>
              <dt>
                <Terms text="bound" />
              </dt>
              <dd>{figure(objective.bound, 6)}</dd>
            </div>
          )}
        </dl>
      ) : null}
      <span class="proof">{proof(answer)}</span>
      <span class="how">
        {statistics.solver}, {elapsed(statistics.solveMs)}
        {elapsedMs > 0 ? ` · round trip ${elapsed(elapsedMs)}` : ''}
      </span>
    </div>
  );
}

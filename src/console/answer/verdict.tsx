/**
 * How good the answer is. For a plan: the stale share, that of fetching all pages in turn, and the gap of its fetch
 * intervals in the long run. For any other answer: its objective and its gap.
 */
import { figure, gapText, share } from '../../schemas/words/numbers.ts';
import type { Answer, Exchange } from '../api/answer.ts';
import { staleShares } from '../pictures/details.tsx';
import { durationText } from '../words/dates.ts';
import { Terms } from '../words/terms.tsx';

/** How far the answer can be from the best, in words. */
function proofText({ status, objective }: Pick<Answer, 'status' | 'objective'>): string {
  const gap = objective?.gap ?? null;
  if (status === 'infeasible') return 'no solution exists';
  if (status === 'evaluated') return 'computed as given';
  if (gap === null) return 'a good answer, without a proved bound';
  if (gap <= 0) return 'proved the best there is';
  return status === 'optimal' ? `proved to ${figure(gap, 1)}` : `at most ${gapText(gap)} above the best there is`;
}

interface VerdictProps {
  readonly exchange: Exchange;
  readonly elapsedMs: number;
}

export function Verdict({ exchange, elapsedMs }: VerdictProps) {
  const { answer } = exchange;
  const { status, objective, statistics } = answer;
  const plan = staleShares(exchange);
  // "feasible" and "evaluated" get no badge: the text of the proof says them.
  const hasBadge = status === 'optimal' || status === 'infeasible';
  const badge = hasBadge ? <span class={`badge ${status}`}>{status}</span> : null;
  return (
    <div class="verdict" data-status={status} data-objective={objective?.value}>
      {plan === undefined ? badge : null}
      {plan === undefined ? null : (
        <dl data-plan="headline">
          <Figure term="stale share" value={share(plan.stale, 3)} />
          <Figure term="all in turn" value={share(plan.inTurn, 3)} />
          {plan.gap === undefined ? null : <Figure term="gap in the long run" value={gapText(plan.gap)} />}
        </dl>
      )}
      {objective && plan === undefined ? (
        <dl>
          <Figure term={objective.measure ?? 'objective'} unit={objective.unit} value={figure(objective.value, 6)} />
          {objective.bound === null || objective.bound === objective.value ? null : (
            <Figure term="bound" value={figure(objective.bound, 6)} />
          )}
        </dl>
      ) : null}
      {plan === undefined ? <span class="proof">{proofText(answer)}</span> : null}
      <span class="how">
        {statistics.solver}, {durationText(statistics.solveMs)}
        {elapsedMs > 0 ? ` · round trip ${durationText(elapsedMs)}` : ''}
      </span>
    </div>
  );
}

function Figure({ term, unit, value }: { term: string; unit?: string | undefined; value: string }) {
  return (
    <div>
      <dt>
        <Terms text={term} />
        {unit && unit !== term ? <span class="unit-of"> ({unit})</span> : null}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

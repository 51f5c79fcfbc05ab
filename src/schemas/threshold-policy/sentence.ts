/** The sentence that says an answer of `threshold-policy`. */
import type * as z from 'zod';
import { countText, figure, share as inPercent } from '../words/numbers.ts';
import type { thresholdPolicySolution } from './answer.ts';

interface Said {
  readonly solution: Wire;
  readonly objective?: { readonly value: number } | undefined;
  readonly beside?: { readonly relativeProfit?: number | null | undefined } | undefined;
}

type Solution = z.input<typeof thresholdPolicySolution>;
type Wire = {
  readonly modes: ArrayLike<number>;
  readonly thresholds: ArrayLike<number> | null;
  readonly crawlersByState?: unknown;
  readonly measures: Pick<
    Solution['measures'],
    'activeCrawlers' | 'starvationProbability' | 'lossProbability' | 'obsolescenceProbability'
  >;
};

export function thresholdPolicySentence({ solution, objective, beside }: Said): string {
  const { activeCrawlers, starvationProbability, lossProbability, obsolescenceProbability } = solution.measures;
  const gives =
    `${figure(activeCrawlers, 3)} are active on average, there is nothing to index for ${inPercent(starvationProbability)} of ` +
    `the time, ${inPercent(lossProbability)} of the pages are lost and ${inPercent(obsolescenceProbability)} expire`;
  const profit = beside?.relativeProfit ?? 0;
  const fixed = profit > 0 ? `, ${inPercent(profit)} less than the best fixed number of crawlers` : '';
  const costs = `It costs ${figure(objective?.value ?? Number.NaN)} per time unit${fixed}.`;
  return `Keep ${ruleOf(solution)}: ${gives}. ${costs}`;
}

function ruleOf({ modes, thresholds, crawlersByState }: Wire): string {
  if (crawlersByState !== undefined) return 'the numbers of the table active, by queue length and phases';
  if (thresholds === null) return 'the listed number of crawlers active at each queue length';
  const [most, ...fewer] = Array.from(modes);
  if (fewer.length === 0) return `${countText(most, 'crawler')} active whatever the queue length`;
  const steps = Array.from(thresholds, (last, i) =>
    i === 0
      ? `${countText(most, 'crawler')} active ${last === 0 ? 'in an empty system' : `up to ${countText(last, 'page')} in the system`}`
      : `${figure(modes[i])} up to ${figure(last)}`,
  );
  return `${steps.join(', ')} and ${figure(modes[modes.length - 1])} beyond`;
}

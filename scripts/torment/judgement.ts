/**
 * What a promise about time is judged by, on a machine that has other work. Late is the service's doing only where it
 * was later than the machine kept it waiting. What was late by less is not judged and not forgiven either. It is tried
 * again until it can be judged; where the clock never tells, the processor time that the service used tells.
 */
import type { Attack, Toll } from './search.ts';

/** How often something is tried again at once, and at the end. */
const againAtOnce = 5;
const againAtTheEnd = 20;
/** So long is waited between them. */
const restsMs = 500;

/** One try, by the clock or by the processor; false where the machine did not let it be judged. */
export type Trial = (by: 'clock' | 'processor') => Promise<boolean>;

/** What waits for a quieter moment. */
export interface Postponed {
  readonly attack: Attack;
  readonly trial: Trial;
}

async function untilJudged(trial: Trial, times: number, starved: () => void): Promise<boolean> {
  for (let time = 0; time < times; time++) {
    if (await trial('clock')) return true;
    starved();
  }
  return false;
}

/** Tries until it can be judged, at the end of all where it cannot be now. */
export async function judged(toll: Toll, attack: Attack, trial: Trial): Promise<void> {
  const starved = (): void => {
    toll.starved++;
  };
  if (!(await untilJudged(trial, 1 + againAtOnce, starved))) toll.postponed.push({ attack, trial });
}

/** Tries what was put off; what cannot be judged still is a wound. */
export async function judgePostponed(toll: Toll, restMs = restsMs): Promise<void> {
  for (const { attack, trial } of toll.postponed.splice(0)) {
    const rested: Trial = async (by) => {
      await new Promise((resolve) => setTimeout(resolve, restMs));
      return trial(by);
    };
    const isJudged = await untilJudged(rested, againAtTheEnd, () => {
      toll.starved++;
    });
    if (!isJudged && !(await trial('processor')))
      toll.wounds.push({ kind: 'never-judged', attack, detail: 'starved each time that it was tried' });
  }
}

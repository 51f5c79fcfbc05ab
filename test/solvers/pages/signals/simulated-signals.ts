/** A page with noisy signals, played event by event: shares no code with the solver. */
import type { Random } from '../../../../src/solvers/numerics/random/random.ts';

export interface PlayedPage {
  readonly changeRate: number;
  readonly precision: number;
  readonly recall: number;
  /** The fetch is made as soon as age and number of signals since the last are such. */
  readonly due: (age: number, signals: number) => boolean;
  /** The age at which a fetch is due with so many signals. */
  readonly dueAge: (signals: number) => number;
  /** What is paid from one age to another with so many signals since the fetch; left out: nothing. */
  readonly costBetween?: (from: number, to: number, signals: number) => number;
}

export interface Played {
  readonly fetches: number;
  /** Time with a stale copy, and the waits of all changes until their fetch. */
  readonly staleTime: number;
  readonly waiting: number;
  readonly paid: number;
  readonly time: number;
}

const exponential = (rate: number, random: Random): number => (rate > 0 ? -Math.log(1 - random()) / rate : Infinity);

/** Changes come at their rate, each signalled with chance recall; false signals make up the rest of the signals. */
export function playPage(
  { changeRate, precision, recall, due, dueAge, costBetween = () => 0 }: PlayedPage,
  fetches: number,
  random: Random,
): Played {
  const falseRate = (changeRate * recall * (1 - precision)) / precision;
  let time = 0;
  let staleTime = 0;
  let waiting = 0;
  let paid = 0;
  let nextChange = exponential(changeRate, random);
  let nextFalse = exponential(falseRate, random);
  for (let made = 0; made < fetches; made++) {
    const start = time;
    let signals = 0;
    let staleSince = Number.POSITIVE_INFINITY;
    const changes: number[] = [];
    for (;;) {
      const fetchAt = due(time - start, signals) ? time : start + dueAge(signals);
      const event = Math.min(nextChange, nextFalse);
      if (fetchAt <= event) {
        paid += costBetween(time - start, Math.max(time, fetchAt) - start, signals);
        time = Math.max(time, fetchAt);
        break;
      }
      paid += costBetween(time - start, event - start, signals);
      time = event;
      if (nextChange <= nextFalse) {
        staleSince = Math.min(staleSince, time);
        changes.push(time);
        nextChange = time + exponential(changeRate, random);
        if (random() < recall) signals++;
      } else {
        signals++;
        nextFalse = time + exponential(falseRate, random);
      }
    }
    staleTime += Math.max(0, time - staleSince);
    for (const change of changes) waiting += time - change;
  }
  return { fetches, staleTime, waiting, paid, time };
}

/**
 * Computes the measures of a policy a second time, with exponential (or no) obsolescence. It writes the queue down
 * state by state, solves it by scalar elimination and follows a tagged page to its end. Shares the model with the
 * solver (what the problem says), none of the ways of solving it.
 *
 * States: (0, ν) when the system is empty, (i, ν, m) with i pages in it. A tagged page first in first out: (pages
 * ahead, m); under random pick-up, waiting: (i, ν, m), later arrivals included.
 * Cost O(K·k_max·(W·M)²·W·M); null when the bands would need more than {@link maxCells} numbers.
 */
import type { Measures } from '../../solvers/queue/measures.ts';
import { obsolescenceRate, type Queue } from '../../solvers/queue/queue.ts';
import { BandedChain } from './banded-chain.ts';
import { pagesInOrder } from './pages-in-order.ts';
import { type ModeAt, QueueChain } from './queue-chain.ts';

/** The most numbers kept for one chain. */
const maxCells = 40_000_000;

/** What becomes of the pages that arrive, per unit of time: numbers and time spent, by fate. */
interface Fates {
  readonly servedTime: number;
  readonly expiredTime: number;
}

/** The measures of the policy; null when the chains would be larger than is kept. */
export function remeasured(queue: Queue, modeAt: ModeAt): Measures | null {
  const chain = new QueueChain(queue, modeAt);
  if (chain.cells > maxCells) return null;
  const distribution = chain.stationary();
  const theta = obsolescenceRate(queue);
  const { phases, exit } = queue.service;
  let [arrived, lost, expired, served, empty, crawlers, length] = [0, 0, 0, 0, 0, 0, 0];
  for (let level = 0; level <= queue.topLevel; level++) {
    for (let phase = 0; phase < queue.arrivalPhases; phase++) {
      for (let m = 0; m < (level === 0 ? 1 : phases); m++) {
        const share = distribution[chain.state(level, phase, m)];
        for (const { size, entering, rate } of chain.batches(level, phase, modeAt(level, phase, m))) {
          arrived += share * rate * size;
          lost += share * rate * (size - entering);
        }
        crawlers += share * queue.modes[modeAt(level, phase, m)].crawlers;
        length += share * level;
        if (level === 0) empty += share;
        else {
          served += share * exit[m];
          expired += share * (level - 1) * theta;
        }
      }
    }
  }
  const { servedTime, expiredTime } =
    queue.discipline === 'fifo' ? fatesInOrder(chain, distribution) : fatesAtRandom(chain, distribution);
  return {
    arrivalRate: arrived,
    lossProbability: lost / arrived,
    obsolescenceProbability: expired / arrived,
    successProbability: served / arrived,
    starvationProbability: empty,
    activeCrawlers: crawlers,
    queueLength: length,
    responseTime: servedTime / served,
    obsoleteSojournTime: expired > 0 ? expiredTime / expired : null,
    sojournTime: (servedTime + expiredTime) / arrived,
  };
}

/** First in first out: a page with j ahead of it, the one in service included. */
function fatesInOrder(of: QueueChain, distribution: Float64Array): Fates {
  const { phases } = of.queue.service;
  const { chain, served, expired } = pagesInOrder(of.queue);
  const starts = new Float64Array(chain.size);
  of.entering(distribution, ({ level, place, m }, rate) => {
    starts[(level + place) * phases + m] += rate;
  });
  return timesOf(chain, starts, served, expired);
}

/** Random pick-up: a page in service (levels 1: phase m only), or one of the i − 1 waiting at (i, ν, m). */
function fatesAtRandom(of: QueueChain, distribution: Float64Array): Fates {
  const { queue } = of;
  const { phases, initial, exit, generator } = queue.service;
  const theta = obsolescenceRate(queue);
  const waiting = (level: number, phase: number, m: number): number =>
    phases + (level - 2) * of.block + phase * phases + m;
  const states = phases + Math.max(0, queue.topLevel - 1) * of.block;
  // The service of a page drawn at random may be far below: what it gathers there is put in by hand.
  const chain = new BandedChain(states, 2 * of.block, of.reach);
  const [served, expired] = [new Float64Array(states), new Float64Array(states)];
  for (let m = 0; m < phases; m++) {
    served[m] = exit[m];
    chain.leave(m, exit[m]);
    for (let next = 0; next < phases; next++) if (next !== m) chain.move(m, next, generator[m * phases + next]);
  }
  for (let level = 2; level <= queue.topLevel; level++) {
    for (let phase = 0; phase < queue.arrivalPhases; phase++) {
      for (let m = 0; m < phases; m++) {
        const here = waiting(level, phase, m);
        for (const { entering, to, rate } of of.batches(level, phase, of.modeAt(level, phase, m)))
          chain.move(here, waiting(level + entering, to, m), rate);
        for (let next = 0; next < phases; next++) {
          if (next !== m) chain.move(here, waiting(level, phase, next), generator[m * phases + next]);
          const overtaken = (exit[m] * initial[next] * (level - 2)) / (level - 1);
          if (level > 2) chain.move(here, waiting(level - 1, phase, next), overtaken);
        }
        if (level > 2) chain.move(here, waiting(level - 1, phase, m), (level - 2) * theta);
        served[here] = exit[m] / (level - 1);
        expired[here] = theta;
        chain.leave(here, served[here] + theta);
      }
    }
  }
  chain.eliminate(0);
  const starts = new Float64Array(states);
  of.entering(distribution, ({ level, place, entering, to, m }, rate) => {
    const inService = level === 0 && place === 0;
    starts[inService ? m : waiting(level + entering, to, m)] += rate;
  });
  // A drawn page is served for certain and spends its service time on top: its mean counts in the served time.
  const mean = chain.gathered(Float64Array.from({ length: states }, (_, state) => (state < phases ? 1 : 0)));
  const service = initial.reduce((sum, share, m) => sum + share * mean[m], 0);
  const times = timesOf(chain, starts, served, expired);
  const chance = chain.gathered(served);
  let drawn = 0;
  for (let state = phases; state < states; state++) drawn += starts[state] * chance[state];
  return { ...times, servedTime: times.servedTime + drawn * service };
}

/**
 * Time spent by the pages that are served, and by those that expire, from the rates at which they start in each state.
 */
function timesOf(chain: BandedChain, starts: Float64Array, served: Float64Array, expired: Float64Array): Fates {
  const total = (values: Float64Array): number => values.reduce((sum, value, state) => sum + starts[state] * value, 0);
  return {
    servedTime: total(chain.gathered(chain.gathered(served))),
    expiredTime: total(chain.gathered(chain.gathered(expired))),
  };
}

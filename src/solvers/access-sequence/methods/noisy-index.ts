/**
 * Cycles of few pages by the index rule with noise. Every step accesses the page whose access saves most, its worth a
 * little wrong, so that many different orders are tried.
 *
 * Let V(d) be the stale time of a gap d, and let an access come at an age that would make the gap d. In the long run it
 * is worth c·(d·(V(d + 1) − V(d)) − V(d)), Whittle's index. Each run multiplies every page's worth by e^(.08 z), z
 * normal, adds a lead to all ages, and goes on for 60 accesses a page. Its last K accesses are the cycle, for the K
 * from N to 30 N that costs least. O(60 N² + 900 N²/stride) a run. Source: P. Whittle, J. Applied Probability 25A,
 * 1988.
 */
import type { AccessPages } from '../../access-frequencies/access-pages.ts';
import type { Budget } from '../../budget.ts';
import { type Random, seededRandom } from '../../numerics/random/random.ts';
import { staleChanges } from '../../pages/objectives/index.ts';
import { cycleCost } from '../cycle-cost.ts';

/** More pages than these have no use for it. */
export const mostNoisy = 40;

const runs = 12;
const leads = [0, 0.5, 1];
const noise = 0.08;
const stepsPerPage = 60;
const longestPerPage = 30;
/** Cycle lengths that are costed in a run. */
const lengths = 300;

/** The best cycle of each run; fewer where the budget ends. @param longest cycle allowed */
export function* noisyCycles(pages: AccessPages, longest: number, budget: Budget): Generator<Uint32Array> {
  const random = seededRandom(budget.seed);
  const most = Math.min(longest, longestPerPage * pages.length);
  for (let run = 0; run < runs; run++) {
    const worth = pages.weight.map(
      (w, i) => (w * (1 - pages.floor[i]) * Math.exp(noise * normal(random))) / pages.load[i],
    );
    for (const lead of leads) {
      if (budget.stopRequested()) return;
      yield bestEnd(pages, played(pages, worth, lead), most);
    }
  }
}

function played({ length, load }: AccessPages, worth: Float64Array, lead: number): Uint32Array {
  const sequence = new Uint32Array(stepsPerPage * length);
  const last = new Float64Array(length).fill(-1);
  for (let t = 0; t < sequence.length; t++) {
    let best = 0;
    let highest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < length; i++) {
      const gap = t - last[i] + lead;
      const now = staleChanges(gap * load[i]);
      const index = worth[i] * (gap * (staleChanges((gap + 1) * load[i]) - now) - now);
      if (index > highest) [best, highest] = [i, index];
    }
    sequence[t] = best;
    last[best] = t;
  }
  return sequence;
}

function bestEnd(pages: AccessPages, sequence: Uint32Array, most: number): Uint32Array {
  const stride = Math.max(1, Math.floor(most / lengths));
  let best = sequence.subarray(-Math.min(most, pages.length));
  let least = Number.POSITIVE_INFINITY;
  for (let cycle = Math.min(most, pages.length); cycle <= most; cycle += stride) {
    const end = sequence.subarray(-cycle);
    const { cost } = cycleCost(pages, end);
    if (cost < least) [best, least] = [end, cost];
  }
  return best.slice();
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Which arm a probe belongs to: what it names, else what the coin says. */
import { Coin } from './coin.ts';
import type { Trial } from './problem.ts';

const plan = 1;
const incumbent = -1;

/** The arms of a trial's probes. */
export class DealtArms {
  readonly #trial: Trial;
  readonly #coin: Coin | null;
  /** Probes asked for that name another arm than the coin. */
  disagreeing = 0;

  constructor(trial: Trial) {
    this.#trial = trial;
    this.#coin = trial.seed === null ? null : new Coin(trial.seed);
  }

  /** +1 for the plan, −1 for the incumbent, 0 where neither the probe nor a coin says. */
  of(probe: number, period: number): number {
    const { arm, unit, units } = this.#trial;
    const named = arm[probe];
    if (this.#coin === null) return named;
    const dealt = this.#coin.isPlan(units[unit[probe]], period) ? plan : incumbent;
    if (named !== 0 && named !== dealt) this.disagreeing++;
    return named === 0 ? dealt : named;
  }
}

import { defined } from '../../defined.ts';
import type { probed } from './probed-crawl.ts';

/**
 * The observations of a simulated trial that count: the first of a unit in a day, as Y and with the difference that each
 * has. A probe without a forecast has the mean of those before.
 */
export function countedProbes({ problem, differences }: ReturnType<typeof probed>) {
  const { time, current, forecast, trial } = problem;
  const { unit, arm } = defined(trial);
  const seen = new Set<string>();
  const y: number[] = [];
  const truth: number[] = [];
  let found = 0;
  for (const [i, t] of time.entries()) {
    const key = `${unit[i]} ${Math.floor(t)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const mean = (found + 0.5) / (y.length + 1);
    found += current[i];
    y.push(2 * arm[i] * (current[i] - (Number.isNaN(forecast[i]) ? mean : forecast[i])));
    truth.push(differences[i]);
  }
  return { y, truth };
}

/**
 * Arrivals during one service, for the certificate: P(A > j) = ∫ S(t) dG_j(t). G_j is the law of the (j + 1)-th arrival
 * (Erlang, rate Λ), S the survival function of the service. On panels in ln t, narrow where S falls and cut where it
 * has a kink, by Gauss-Legendre rules of sixteen points made here. Accurate to about 1e−12. O(panels·16·K).
 */
import { createLaw, type Distribution, kinksOf, type Law } from '../../src/solvers/laws/index.ts';

const points = 16;

export function arrivalTails(service: Distribution, rate: number, capacity: number): Float64Array {
  const law = createLaw(service);
  const { survival } = law;
  const { nodes, weights } = legendreRule();
  const tails = new Float64Array(capacity);
  for (const [from, to] of panels(service, law, rate, capacity)) {
    const half = (to - from) / 2;
    for (let k = 0; k < points; k++) {
      const t = Math.exp(from + half * (1 + nodes[k]));
      const alive = survival(t);
      if (alive === 0) continue;
      // dG_j/d ln t = Λt·e^(−Λt)(Λt)^j/j!, from j = 0 up in logarithms.
      let log = Math.log(rate * t) - rate * t;
      for (let j = 0; j < capacity; j++) {
        tails[j] += half * weights[k] * alive * Math.exp(log);
        log += Math.log((rate * t) / (j + 1));
      }
    }
  }
  return tails;
}

/** Intervals of ln t that carry everything but 1e−15. */
function panels(service: Distribution, law: Law, rate: number, capacity: number): [number, number][] {
  const { mean, secondMoment } = law;
  const first = Math.log(1e-17 / rate);
  const last = Math.log((capacity + 60 + 12 * Math.sqrt(capacity)) / rate);
  // Where Erlang densities are narrow, or the survival function falls, panels are.
  const width = Math.min(0.5, 1.5 / Math.sqrt(capacity));
  const spread = Math.sqrt(Math.max(1e-15, secondMoment / mean ** 2 - 1));
  const steep = 40 * spread < 0.9 ? [mean * (1 - 40 * spread), mean * (1 + 40 * spread)] : [];
  const coarse = Math.log(Math.min(mean * 1e-3, 1e-3 / rate));
  const inner = [...kinksOf(service), ...steep].filter((t) => t > 0).map(Math.log);
  const cuts = [first, last, coarse, ...inner].filter((x) => x >= first && x <= last).sort((a, b) => a - b);
  return cuts.slice(1).flatMap((to, i): [number, number][] => {
    const from = cuts[i];
    if (to <= coarse) return split(from, to, 1);
    const falls = steep.length > 0 && from >= Math.log(steep[0]) && to <= Math.log(steep[1]);
    return split(from, to, falls ? Math.min(width, spread) : width);
  });
}

function split(from: number, to: number, width: number): [number, number][] {
  if (!(to > from)) return [];
  const count = Math.ceil((to - from) / width);
  return Array.from({ length: count }, (_, i): [number, number] => [
    from + ((to - from) * i) / count,
    from + ((to - from) * (i + 1)) / count,
  ]);
}

/** Nodes and weights on [−1, 1], by Newton's method on the Legendre polynomial. */
function legendreRule(): { readonly nodes: Float64Array; readonly weights: Float64Array } {
  const nodes = new Float64Array(points);
  const weights = new Float64Array(points);
  for (let k = 0; k < points; k++) {
    let x = Math.cos((Math.PI * (k + 0.75)) / (points + 0.5));
    let slope = 1;
    for (let step = 0; step < 100; step++) {
      let [before, value] = [1, x];
      for (let n = 2; n <= points; n++) [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n];
      slope = (points * (x * value - before)) / (x * x - 1);
      const change = value / slope;
      x -= change;
      if (Math.abs(change) < 1e-16) break;
    }
    nodes[k] = x;
    weights[k] = 2 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

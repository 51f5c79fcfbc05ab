/** Checks measured freshness: each share anew from the probes, and that its interval holds it. */
import { listIn, numberIn, objectAt, textIn, type WireObject, WireTable } from '../wire.ts';

const tolerance = 1e-9;

interface Probe {
  readonly host: string | null;
  readonly current: number;
  readonly weight: number;
}

export function verifyFreshness(request: WireObject, answer: WireObject): string[] {
  const solution = objectAt(answer, 'solution');
  const probes = probesOf(request);
  const hosts = [...new Set(probes.map(({ host }) => host))].filter((host) => host !== null);
  const byHost = listIn(solution, 'byHost');
  const faults = estimateFaults('freshness', objectAt(solution, 'freshness'), probes);
  if (byHost.length !== hosts.length) faults.push(`byHost has ${byHost.length} hosts, not ${hosts.length}`);
  for (const each of byHost) {
    const name = textIn(objectAt(each), 'host');
    const own = probes.filter(({ host }) => host === name);
    faults.push(...estimateFaults(`the freshness of ${name}`, objectAt(each), own));
  }
  return faults;
}

function probesOf(request: WireObject): Probe[] {
  const table = new WireTable(request.probes, 'probes');
  const [host, weight, current] = [table.texts('host'), table.numbers('weight', 1), table.values('current')];
  return table.texts('page').map((_, i) => ({
    host: host[i],
    current: current[i] === true || current[i] === 1 ? 1 : 0,
    weight: weight[i],
  }));
}

function estimateFaults(name: string, estimate: WireObject, probes: readonly Probe[]): string[] {
  const faults: string[] = [];
  if (numberIn(estimate, 'probes') !== probes.length) faults.push(`${name} counts ${probes.length} probes`);
  if (probes.length === 0) return estimate.value === null ? faults : [...faults, `${name} has a value without probes`];
  const [low, high] = listIn(estimate, 'interval').map(Number);
  const value = numberIn(estimate, 'value');
  const total = probes.reduce((sum, { weight }) => sum + weight, 0);
  const mean = probes.reduce((sum, { current, weight }) => sum + weight * current, 0) / total;
  if (Math.abs(value - mean) > tolerance) faults.push(`${name} is ${mean}, not ${value}`);
  if (!(low >= 0 && low <= value + tolerance && value <= high + tolerance && high <= 1))
    faults.push(`the interval of ${name}, ${low} to ${high}, does not hold ${value} within 0 and 1`);
  return faults;
}

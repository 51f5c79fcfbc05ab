/**
 * Checks measured freshness against the probes: the theorem's formulas written anew, every probe looked at by itself,
 * the coin from an MD5 of its own. Weights that differ are checked by the interval's ends: each must solve its equation.
 */
import { isObject, listIn, numberIn, objectAt, positionsOf, textIn, type WireObject, WireTable } from '../wire.ts';

const day = 86_400;
const tolerance = 1e-9;

interface Row {
  readonly time: number;
  readonly page: string;
  readonly host: string | null;
  readonly current: number;
  readonly weight: number;
  readonly arm: string;
  readonly forecast: number;
}

/** An observation in [0, 1] with its weight. */
interface Seen {
  readonly z: number;
  readonly weight: number;
}

export function verifyFreshness(request: WireObject, answer: WireObject): string[] {
  const solution = objectAt(answer, 'solution');
  const alpha = 1 - numberIn(request, 'confidence', 0.95);
  const rows = rowsOf(request);
  const faults: string[] = [];
  const check = (name: string, said: unknown, of: readonly Row[]): void => {
    const seen = of.map(({ current, weight }) => ({ z: current, weight }));
    faults.push(...estimateFaults(name, said, seen, { alpha, scale: (z) => z }));
  };
  check('freshness', solution.freshness, rows);
  const hosts = [...new Set(rows.map(({ host }) => host))].filter((host) => host !== null);
  const byHost = listIn(solution, 'byHost');
  if (byHost.length !== hosts.length) faults.push(`${byHost.length} hosts are told of, not ${hosts.length}`);
  for (const each of byHost) {
    const name = textIn(objectAt(each), 'host');
    check(
      `the freshness of ${name}`,
      each,
      rows.filter(({ host }) => host === name),
    );
  }
  const last = objectAt(listIn(solution, 'history').at(-1) ?? solution);
  for (const name of ['freshness', 'byArm', 'difference'])
    if (JSON.stringify(last[name]) !== JSON.stringify(solution[name]))
      faults.push(`the history ends with other ${name}`);
  const isTrial = typeof request.seed === 'string' || rows.some(({ arm }) => arm !== 'none');
  if (!isTrial) return solution.verdict === null ? faults : [...faults, 'a verdict without a trial'];
  const counted = countedRows(request, rows);
  for (const arm of ['plan', 'incumbent'])
    check(
      `the freshness of ${arm}`,
      objectAt(solution, 'byArm', arm),
      counted.filter((row) => row.arm === arm),
    );
  let currentBefore = 0;
  const seen = counted.map(({ arm, current, forecast, weight }, i) => {
    const guess = Number.isNaN(forecast) ? (currentBefore + 0.5) / (i + 1) : forecast;
    currentBefore += current;
    return { z: (2 * (arm === 'plan' ? 1 : -1) * (current - guess) + 2) / 4, weight };
  });
  const scale = (z: number): number => Math.max(-1, Math.min(1, 4 * z - 2));
  faults.push(...estimateFaults('the difference', solution.difference, seen, { alpha, scale }));
  const [low, high] = listIn(objectAt(solution, 'difference'), 'interval').map(Number);
  const verdict = low > 0 ? 'take-over' : high < 0 ? 'roll-back' : 'go-on';
  if (solution.verdict !== verdict) faults.push(`the verdict is ${verdict}, not ${String(solution.verdict)}`);
  return faults;
}

function rowsOf(request: WireObject): Row[] {
  const table = new WireTable(request.probes, 'probes');
  const [time, weight] = [table.numbers('time'), table.numbers('weight', 1)];
  const forecast = table.numbers('forecast', Number.NaN);
  const [page, host, arm] = [table.texts('page'), table.texts('host'), table.texts('arm')];
  const current = table.values('current');
  const rows = page.map((name, i) => ({
    time: time[i],
    page: name ?? '',
    host: host[i],
    current: current[i] === true || current[i] === 1 ? 1 : 0,
    weight: weight[i],
    arm: arm[i] ?? 'none',
    forecast: forecast[i],
  }));
  return rows.sort((a, b) => a.time - b.time);
}

/** The first probe of each unit in each period, those left out that came too soon after its start. */
function countedRows(request: WireObject, rows: readonly Row[]): Row[] {
  const period = numberIn(request, 'period', day);
  const settling = numberIn(request, 'settling', period / 4);
  const { seed } = request;
  const unitOf = ({ page, host }: Row): string => (request.unit === 'host' ? (host ?? '') : page);
  const seen = new Set<string>();
  const numbers = positionsOf(rows.map(unitOf));
  return rows.flatMap((row, i) => {
    const k = Math.floor(row.time / period);
    const dealt = typeof seed === 'string' ? coinOf(seed, unitOf(row), k) : 'unknown';
    const arm = row.arm === 'none' ? dealt : row.arm;
    if (arm === 'unknown' || row.time - k * period < settling) return [];
    const place = `${numbers[i]} ${k}`;
    if (seen.has(place)) return [];
    seen.add(place);
    return [{ ...row, arm }];
  });
}

interface Scale {
  readonly alpha: number;
  readonly scale: (z: number) => number;
}

function estimateFaults(name: string, said: unknown, seen: readonly Seen[], { alpha, scale }: Scale): string[] {
  if (!isObject(said)) return [`${name} is missing`];
  const faults: string[] = [];
  if (numberIn(said, 'probes') !== seen.length) faults.push(`${name} counts ${seen.length} probes`);
  if (seen.length === 0) return said.value === null ? faults : [...faults, `${name} has a value without probes`];
  const [low, high] = listIn(said, 'interval').map(Number);
  const value = numberIn(said, 'value');
  const total = seen.reduce((sum, { weight }) => sum + weight, 0);
  const mean = scale(seen.reduce((sum, { z, weight }) => sum + weight * z, 0) / total);
  if (Math.abs(value - Math.min(high, Math.max(low, mean))) > tolerance)
    faults.push(`${name} is ${mean}, not ${value}`);
  const right = seen.every(({ weight }) => weight === seen[0].weight)
    ? evenInterval(seen, alpha)
    : ratioInterval(seen, alpha);
  const [least, most] = right.map(scale);
  if (Math.abs(least - low) > tolerance || Math.abs(most - high) > tolerance)
    faults.push(`the interval of ${name} is ${least} to ${most}, not ${low} to ${high}`);
  return faults;
}

/** Theorem 2 of Waudby-Smith & Ramdas (2024), one formula a line. */
function evenInterval(seen: readonly Seen[], alpha: number): [number, number] {
  const level = Math.log(2 / alpha);
  let [sum, squares, bets, betSum, spread] = [0, 0, 0, 0, 0];
  for (const [i, { z }] of seen.entries()) {
    const t = i + 1;
    const mean = (0.5 + sum) / t;
    const variance = (0.25 + squares) / t;
    const bet = Math.min(0.5, Math.sqrt((2 * level) / (variance * t * Math.log(1 + t))));
    bets += bet;
    betSum += bet * z;
    spread += 4 * (z - mean) ** 2 * ((-Math.log1p(-bet) - bet) / 4);
    sum += z;
    squares += (z - (0.5 + sum) / (t + 1)) ** 2;
  }
  const [centre, half] = [betSum / bets, (level + spread) / bets];
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** The means at which neither side's sum has reached its level, by bisection. */
function ratioInterval(seen: readonly Seen[], alpha: number): [number, number] {
  const level = Math.log(2 / alpha);
  const heaviest = Math.max(...seen.map(({ weight }) => weight));
  let [weights, sum, squares] = [0, 0, 0.25];
  const bets = seen.map(({ z, weight }, i) => {
    const w = weight / heaviest;
    const bet = Math.min(0.5, Math.sqrt((2 * level) / ((squares / (i + 1)) * (i + 1) * Math.log(2 + i))));
    squares += (w * (z - (sum + 0.5) / (weights + 1))) ** 2;
    weights += w;
    sum += w * z;
    return { z, w, bet, psi: -Math.log1p(-bet) - bet };
  });
  /** Above 0 where θ is refused, by the side that takes it for too high (+1) or too low (−1). */
  const excess = (theta: number, side: number): number =>
    bets.reduce((all, { z, w, bet, psi }) => all + side * bet * w * (theta - z) - psi * (w * (z - theta)) ** 2, -level);
  const edge = (side: number): number => {
    let [inside, outside] = [sum / weights, side > 0 ? 1 : 0];
    if (excess(outside, side) <= 0) return outside;
    for (let i = 0; i < 100; i++) {
      const middle = (inside + outside) / 2;
      if (excess(middle, side) > 0) outside = middle;
      else inside = middle;
    }
    return inside;
  };
  return [edge(-1), edge(1)];
}

/** The arm by the first hexadecimal digit of MD5. */
function coinOf(seed: string, unit: string, period: number): string {
  return md5FirstByte(new TextEncoder().encode(`${seed}/${period}/${unit}`)) < 128 ? 'plan' : 'incumbent';
}

/** The first byte of MD5 (RFC 1321), in whole numbers without bit tricks: slow, and plain to read. */
function md5FirstByte(message: Uint8Array): number {
  const word = 2n ** 32n;
  const turns = [
    [7n, 12n, 17n, 22n],
    [5n, 9n, 14n, 20n],
    [4n, 11n, 16n, 23n],
    [6n, 10n, 15n, 21n],
  ];
  const padded = new Uint8Array(64 * Math.ceil((message.length + 9) / 64));
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(8 * message.length), true);
  let state = [0x67452301n, 0xefcdab89n, 0x98badcfen, 0x10325476n];
  for (let at = 0; at < padded.length; at += 64) {
    const view = new DataView(padded.buffer, at, 64);
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i++) {
      const round = Math.floor(i / 16);
      const not = (x: bigint): bigint => word - 1n - x;
      const mixed = [(b & c) | (not(b) & d), (d & b) | (not(d) & c), b ^ c ^ d, c ^ (b | not(d))][round];
      const taken = [i, 5 * i + 1, 3 * i + 5, 7 * i][round] % 16;
      const sine = BigInt(Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));
      const sum = (a + mixed + sine + BigInt(view.getUint32(4 * taken, true))) % word;
      const turn = turns[round][i % 4];
      const turned = ((sum * 2n ** turn) % word) | (sum / 2n ** (32n - turn));
      [a, b, c, d] = [d, (b + turned) % word, b, c];
    }
    state = [a, b, c, d].map((each, i) => (state[i] + each) % word);
  }
  return Number(state[0] % 256n);
}

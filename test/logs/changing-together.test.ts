import { describe, expect, it } from 'vitest';
import { commonChanges } from '../../src/logs/changing-together.ts';
import { type CrawlLog, readLog } from '../../src/logs/read-log.ts';
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';

const day = 86_400;
const start = 20_400 * day;
const days = 40;

function poisson(random: Random, perDay: number): number[] {
  const times: number[] = [];
  for (let t = start - 5 * day; t < start + days * day; t += (-Math.log1p(-random()) * day) / perDay) times.push(t);
  return times;
}

interface Site {
  readonly hosts: number;
  /** Changes a day of a page alone, of all pages of its host, and of all pages of all hosts. */
  readonly own: number;
  readonly common: number;
  readonly everywhere: number;
}

/** Six pages a host, each fetched once a day. */
function logOf({ hosts, own, common, everywhere }: Site, random: Random): CrawlLog {
  const all = poisson(random, everywhere);
  const lines: string[] = [];
  for (let host = 0; host < hosts; host++) {
    const ofHost = poisson(random, common);
    for (let page = 0; page < 6; page++) {
      const changes = [...poisson(random, own), ...ofHost, ...all];
      const phase = random() * day;
      for (let k = 0; k < days; k++) {
        const time = Math.floor(start + k * day + phase);
        const signature = `v${changes.filter((change) => change <= time).length}`;
        lines.push(JSON.stringify({ page: `https://h${host}.example/${page}`, time, signature }));
      }
    }
  }
  return readLog([lines.join('\n')]);
}

describe('pages of a host', () => {
  it('are found to change together where they do', () => {
    const { correlation, deviations, hosts } = commonChanges(
      logOf({ hosts: 20, own: 0.1, common: 0.2, everywhere: 1e-6 }, seededRandom(1)),
      day,
    );
    expect(correlation).toBeGreaterThan(0.2);
    expect(deviations).toBeGreaterThan(4);
    expect(hosts).toBe(20);
  });

  it('are not where each changes by itself, nor where all hosts change at once', () => {
    for (let run = 0; run < 6; run++) {
      const alone = commonChanges(
        logOf({ hosts: 12, own: 0.3, common: 1e-6, everywhere: 1e-6 }, seededRandom(run)),
        day,
      );
      expect(Math.abs(alone.correlation)).toBeLessThan(0.1);
      expect(alone.deviations).toBeLessThan(4);
      const shared = commonChanges(
        logOf({ hosts: 12, own: 0.1, common: 1e-6, everywhere: 0.2 }, seededRandom(run)),
        day,
      );
      expect(Math.abs(shared.correlation)).toBeLessThan(0.1);
    }
  });

  it('say nothing where no host has two', () => {
    const log = readLog([
      [1, 2, 3].map((k) => `{"page":"https://a.example/","time":${start + k},"signature":"${k}"}`).join('\n'),
    ]);
    expect(commonChanges(log, day)).toEqual({ correlation: 0, deviations: 0, hosts: 0 });
  });
});

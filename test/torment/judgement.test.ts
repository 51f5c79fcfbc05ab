/** What the torment judges on a machine that has other work. */
import { describe, expect, it } from 'vitest';
import { HostControl } from '../../scripts/torment/host-control.ts';
import { judged, judgePostponed } from '../../scripts/torment/judgement.ts';
import { Patience, Stopwatch } from '../../scripts/torment/run-delay.ts';
import { newToll } from '../../scripts/torment/search.ts';
import { stallOf } from '../../scripts/torment/stalls.ts';

const one = { operation: 'crawler-count', body: '{}' };
/** A service that nobody keeps waiting but its host, for so long at each look. */
const heldFor = (ms: number) => ({ pid: 0, hostPauseMs: () => ms });

describe('what the machine kept waiting', () => {
  it('is tried again until it can be judged', async () => {
    const toll = newToll();
    let tries = 0;
    await judged(toll, one, async () => ++tries === 4);
    expect([tries, toll.starved, toll.postponed.length, toll.wounds.length]).toEqual([4, 3, 0, 0]);
  });

  it('is tried at the end of all where it could not be judged at once', async () => {
    const toll = newToll();
    let tries = 0;
    await judged(toll, one, async () => ++tries === 7);
    expect(toll.postponed).toHaveLength(1);
    await judgePostponed(toll, 0);
    expect([tries, toll.starved, toll.postponed.length, toll.wounds.length]).toEqual([7, 6, 0, 0]);
  });

  it('is a wound where it never can be', async () => {
    const toll = newToll();
    await judged(toll, one, async () => false);
    await judgePostponed(toll, 0);
    expect(toll.wounds.map(({ kind }) => kind)).toEqual(['never-judged']);
  });

  it('is judged by the processor where the clock never tells', async () => {
    const toll = newToll();
    await judged(toll, one, async (by) => by === 'processor');
    await judgePostponed(toll, 0);
    expect(toll.wounds).toEqual([]);
  });

  it('is told by what the host took', () => {
    expect(new Stopwatch(heldFor(300)).starvedMs()).toBeGreaterThanOrEqual(300);
  });
});

describe('patience', { timeout: 60_000 }, () => {
  it('ends where nobody was kept waiting', async () => {
    await new Promise<void>((resolve) => {
      const patience = new Patience(heldFor(0), 100, () => {
        patience.end();
        resolve();
      });
    });
  });

  it('does not end while the machine keeps the service waiting', async () => {
    let ended = false;
    const patience = new Patience(heldFor(1e9), 100, () => {
      ended = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    patience.end();
    expect(ended).toBe(false);
  });
});

describe('a turn', () => {
  const turn = { endedAt: 1000, waitedMs: 10, processors: [0, 0] as const, collections: [], doing: [] };

  it('that stood still without a processor is perhaps the own doing of the service, and not for sure', () => {
    expect(stallOf({ ...turn, wallMs: 100, processorMs: 20 }, [], new HostControl()).ownMs).toEqual([20, 90]);
  });

  it('that had a processor all the time is', () => {
    expect(stallOf({ ...turn, wallMs: 100, processorMs: 90 }, [], new HostControl()).ownMs).toEqual([90, 90]);
  });
});

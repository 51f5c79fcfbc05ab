import { describe, expect, it } from 'vitest';
import { readConfig, sizesForMemory } from '../../src/config.ts';

const gibibyte = 2 ** 30;

describe('the sizes of a server', () => {
  it('are the usual ones where there is memory enough', () => {
    const usual = { workers: 4, workerMemoryMb: 4096, bodyLimitBytes: 128 * 2 ** 20, inFlightBytes: gibibyte };
    expect(sizesForMemory(64 * gibibyte, 4)).toEqual(usual);
  });

  it.each([0.5, 1, 2, 4])('fit into %d GiB: the service, and every worker with its heap full', (size) => {
    const plan = sizesForMemory(size * gibibyte, 4);
    const workers = plan.workers * (96 + plan.workerMemoryMb);
    expect(192 + workers + 96).toBeLessThanOrEqual(1024 * size);
    expect(plan.workers).toBeGreaterThanOrEqual(1);
    expect(plan.inFlightBytes).toBeLessThanOrEqual((size * gibibyte) / 16);
    expect(plan.bodyLimitBytes).toBeLessThanOrEqual((size * gibibyte) / 32);
  });

  it('are what somebody has set them to', () => {
    const config = readConfig({ WORKERS: '4', BODY_LIMIT_BYTES: '5000' }, gibibyte / 2);
    expect(config).toMatchObject({ workers: 4, bodyLimitBytes: 5000, workerMemoryMb: 128 });
  });
});

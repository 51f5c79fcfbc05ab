import { describe, expect, it } from 'vitest';
import { fitToMemory } from '../../src/workers/memory-plan.ts';

const gibibyte = 2 ** 30;
const usual = {
  workers: 4,
  workerMemoryMb: 4096,
  bodyLimitBytes: 128 * 2 ** 20,
  inFlightBytes: gibibyte,
};
const none = () => false;

describe('the sizes of a server', () => {
  it('stay where there is memory enough', () => {
    expect(fitToMemory(usual, none, 64 * gibibyte)).toEqual(usual);
  });

  it.each([0.5, 1, 2, 4])('fit into %d GiB: the service, and every worker with its heap full', (size) => {
    const plan = fitToMemory(usual, none, size * gibibyte);
    const workers = plan.workers * (96 + plan.workerMemoryMb);
    expect(192 + workers + 96).toBeLessThanOrEqual(1024 * size);
    expect(plan.workers).toBeGreaterThanOrEqual(1);
    expect(plan.inFlightBytes).toBeLessThanOrEqual((size * gibibyte) / 16);
    expect(plan.bodyLimitBytes).toBeLessThanOrEqual((size * gibibyte) / 32);
  });

  it('are what somebody has set them to', () => {
    const set = (size: string) => size === 'workers' || size === 'bodyLimitBytes';
    const plan = fitToMemory(usual, set, gibibyte / 2);
    expect(plan.workers).toBe(4);
    expect(plan.bodyLimitBytes).toBe(usual.bodyLimitBytes);
    expect(plan.workerMemoryMb).toBe(64);
  });
});

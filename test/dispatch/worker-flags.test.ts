import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { workerFlags } from '../../src/dispatch/start/worker-flags.ts';

describe('the flags of a worker', () => {
  it('are known to the Node that runs it, whatever its version', () => {
    const flags = workerFlags(4096, process.versions.v8);
    const { status, stderr } = spawnSync(process.execPath, [...flags, '-e', '0'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('count typed arrays with the heap where the version has to be asked and the heap is large', () => {
    const counted = (heapMb: number, version: string) => workerFlags(heapMb, version).length === 4;
    expect(counted(4096, '13.6.233.17-node.53')).toBe(true);
    expect(counted(512, '13.6.233.17-node.53')).toBe(false);
    expect(counted(4096, '12.4.254.21-node.33')).toBe(false);
    expect(counted(4096, '14.1.146.11-node.14')).toBe(false);
  });
});

/** What a server may take on in the memory it has: the container's, where it runs in one that is limited. */
import { totalmem } from 'node:os';

/** The sizes that memory bounds. */
interface MemorySizes {
  readonly workers: number;
  readonly workerMemoryMb: number;
  readonly bodyLimitBytes: number;
  readonly inFlightBytes: number;
}

const mebibyte = 2 ** 20;
/** What the main process takes, and a worker at rest. */
const mainMb = 192;
const restMb = 96;
/** The least heap a worker can run with, and the least for which a further worker is worth starting. */
const leastHeapMb = 64;
const worthwhileHeapMb = 160;
/**
 * Shares of all memory for one body and for all bodies in flight. A body may take eight times its size and more: its
 * bytes in the service and in the worker, its text, the parsed values, and garbage that is not yet collected.
 */
const bodyShare = 1 / 32;
const inFlightShare = 1 / 16;

/** Memory this process may use, bytes. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * The sizes made smaller where the memory asks for it; those that somebody has set (`isSet`) stay.
 *
 * @param bytes memory for the service and its workers together
 */
export function fitToMemory(
  sizes: MemorySizes,
  isSet: (size: keyof MemorySizes) => boolean,
  bytes: number,
): MemorySizes {
  const total = bytes / mebibyte;
  // one more process than may work stands ready
  const shared = total - mainMb - restMb;
  const most = Math.max(1, Math.floor(shared / (restMb + worthwhileHeapMb)));
  const workers = isSet('workers') ? sizes.workers : Math.min(sizes.workers, most);
  const heap = Math.max(leastHeapMb, Math.floor(shared / workers - restMb));
  const bound = (size: 'bodyLimitBytes' | 'inFlightBytes', share: number): number =>
    isSet(size) ? sizes[size] : Math.min(sizes[size], Math.max(mebibyte, Math.floor(bytes * share)));
  return {
    workers,
    workerMemoryMb: isSet('workerMemoryMb') ? sizes.workerMemoryMb : Math.min(sizes.workerMemoryMb, heap),
    bodyLimitBytes: bound('bodyLimitBytes', bodyShare),
    inFlightBytes: bound('inFlightBytes', inFlightShare),
  };
}

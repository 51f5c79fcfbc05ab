/** What a server may take on in the memory it has: the container's, where it runs in one that is limited. */
import { availableParallelism, totalmem } from 'node:os';

const mebibyte = 2 ** 20;
/** What the service and its spare worker take at rest, MiB. */
const serviceMb = 288;
/** What a further worker takes at rest, and the smallest heap worth starting one for, MiB. */
const idleWorkerMb = 96;
const worthwhileHeapMb = 160;
/**
 * Shares of all memory for one body and for all bodies in flight. A body may take eight times its size and more: its
 * bytes in the service and in the worker, its text, the parsed values, and garbage that is not yet collected.
 */
const bodyShare = 1 / 32;
const inFlightShare = 1 / 16;

/** Memory this process may use, bytes. */
export function availableMemory(): number {
  const containerLimit = process.constrainedMemory();
  return containerLimit > 0 ? Math.min(containerLimit, totalmem()) : totalmem();
}

const clamp = (value: number, minimum: number, maximum: number): number =>
  Math.floor(Math.max(minimum, Math.min(value, maximum)));

/** The sizes for a memory, in bytes, for the service and its workers together. */
export function sizesForMemory(bytes: number, cores = availableParallelism()) {
  const sharedMb = bytes / mebibyte - serviceMb;
  const workers = clamp(sharedMb / (idleWorkerMb + worthwhileHeapMb), 1, cores);
  return {
    workers,
    workerMemoryMb: clamp(sharedMb / workers - idleWorkerMb, 64, 4096),
    bodyLimitBytes: clamp(bytes * bodyShare, mebibyte, 128 * mebibyte),
    inFlightBytes: clamp(bytes * inFlightShare, mebibyte, 1024 * mebibyte),
  };
}

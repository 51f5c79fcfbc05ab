/**
 * How V8 is to keep the memory of a worker. A large plan's is nearly all typed arrays, outside the heap. V8 counts what
 * is allocated there against the room that the heap alone has left. It marks the heap's objects again for every 40 MB
 * or so: five times a plan of 100,000 pages with a tenth of its time. From version 14 on it bounds both together, by
 * what is in use of both; 13.6, Node 24's, does so on request. Earlier versions do not know the flag and would not
 * start with it.
 */

/** The version that knows the flag and does not set it itself. */
const askedVersion = '13.6.';
/** In a smaller heap both together are soon beyond their bound, and marked again and again. */
const leastHeapMb = 1024;

/**
 * The flags by which the two are bounded together, in a process with a heap of this limit.
 * @param heapMb limit of its heap, MiB
 * @param version V8's, as in process.versions.v8
 */
export function boundTogether(heapMb: number, version: string): string[] {
  return heapMb >= leastHeapMb && version.startsWith(askedVersion)
    ? ['--external-memory-accounted-in-global-limit']
    : [];
}

/** The flags a worker is started with, of the same. */
export function workerFlags(heapMb: number, version: string): string[] {
  // A small young generation keeps one collection from promoting more than the leeway Node leaves a full heap.
  return [
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=16',
    '--expose-gc',
    ...boundTogether(heapMb, version),
  ];
}

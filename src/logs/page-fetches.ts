/** The fetches of a page in a log, as columns of numbers. */
import { type FetchColumns, type Observation, signatureKind, unknownStatus } from '../solvers/estimation/index.ts';

/** In order of time. As JSON it is the list of observations that operations take; within a process they take it as it is. */
export class PageFetches implements FetchColumns {
  readonly length: number;
  readonly time: Float64Array;
  readonly status: Int16Array;
  readonly signature: Float64Array;
  readonly lastModified: Float64Array;
  readonly changed: Int8Array;

  constructor({ time, status, signature, lastModified, changed }: Omit<FetchColumns, 'length'>) {
    this.length = time.length;
    this.time = time;
    this.status = status;
    this.signature = signature;
    this.lastModified = lastModified;
    this.changed = changed;
  }

  /** The rows from one to before another; the numbers are shared. */
  slice(from: number, to: number): PageFetches {
    return new PageFetches({
      time: this.time.subarray(from, to),
      status: this.status.subarray(from, to),
      signature: this.signature.subarray(from, to),
      lastModified: this.lastModified.subarray(from, to),
      changed: this.changed.subarray(from, to),
    });
  }

  toJSON(): Observation[] {
    const versions = new Map<number, string>();
    return Array.from(this.time, (time, k) => {
      const signature = this.signature[k];
      if (signature >= 0 && !versions.has(signature)) {
        const kind = signatureKind(signature);
        versions.set(signature, `${kind === '' ? '' : `${kind}:`}v${versions.size + 1}`);
      }
      return {
        time,
        ...(this.status[k] !== unknownStatus && { status: this.status[k] }),
        ...(signature >= 0 && { signature: versions.get(signature) }),
        ...(!Number.isNaN(this.lastModified[k]) && { lastModified: this.lastModified[k] }),
        ...(this.changed[k] >= 0 && { changed: this.changed[k] === 1 }),
      };
    });
  }
}

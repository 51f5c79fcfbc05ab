/** A page's fetches as columns of numbers. */
import { type FetchColumns, type Observation, signatureKind, unknownStatus } from '../solvers/estimation/index.ts';

/** Sorted by time. Serialises to the list of observations of the contract; operations in the same process take it as is. */
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

  /** Rows from `from` up to, excluding, `to`; shares the memory. */
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

/** The fetches of one page in columns of numbers, one for each field of a log. */
import { signatureNumber } from './signatures.ts';

/** One fetch of a page; times in one unit. */
export interface Observation {
  readonly time: number;
  readonly changed?: boolean | undefined;
  readonly lastModified?: number | undefined;
  readonly signature?: string | undefined;
  readonly status?: number | undefined;
}

/** Value of the column `status` where the status is unknown. */
export const unknownStatus = -1;

/** Columns of one length; row k is a fetch. */
export interface FetchColumns {
  readonly length: number;
  readonly time: Float64Array;
  /** HTTP status; 0 for a fetch without an answer. */
  readonly status: Int16Array;
  /** Signature of the content as a number (signatures.ts); NaN where there is none. */
  readonly signature: Float64Array;
  /** Last-Modified time; NaN where there is none. */
  readonly lastModified: Float64Array;
  /** Whether the crawler says that the page had changed, 0 or 1; −1 where it says nothing. */
  readonly changed: Int8Array;
}

/** Whether a fetch returned the page or confirmed the copy: its status is 2xx or 304, or not known. */
export const sawPage = (status: number | undefined): boolean =>
  status === undefined || status === unknownStatus || status === 304 || (status >= 200 && status <= 299);

export function columnsOf(observations: readonly Observation[]): FetchColumns {
  const { length } = observations;
  const columns = {
    length,
    time: new Float64Array(length),
    status: new Int16Array(length),
    signature: new Float64Array(length),
    lastModified: new Float64Array(length),
    changed: new Int8Array(length),
  };
  for (const [k, { time, status, signature, lastModified, changed }] of observations.entries()) {
    columns.time[k] = time;
    columns.status[k] = status ?? unknownStatus;
    columns.signature[k] = signature === undefined ? Number.NaN : signatureNumber(signature);
    columns.lastModified[k] = lastModified ?? Number.NaN;
    columns.changed[k] = changed === undefined ? -1 : Number(changed);
  }
  return columns;
}

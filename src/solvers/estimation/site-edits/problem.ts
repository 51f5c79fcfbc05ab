/** Checks of pages on one clock, and the edits of whole hosts found in them. */

/** Checks of page i are those at offsets[i]..offsets[i+1]−1, oldest first. */
export interface DatedChecks {
  readonly offsets: Uint32Array;
  /** Time since the check before. */
  readonly elapsed: Float64Array;
  /** 0 where the page was as before; else it had changed. */
  readonly changed: Uint8Array;
  /** When each page was last checked, on one clock for all; NaN where that is not known: the page is left out. */
  readonly lastCheck: Float64Array;
  /** Position of each page's host from 0, −1 for none. */
  readonly host: Int32Array;
  readonly hosts: number;
}

/** What was found on one host. */
export interface SiteEdits {
  /** Edits of much of the host at once. */
  readonly edits: number;
  /** Checks that saw a change on the pages looked at, and how many of these came with such an edit. */
  readonly changes: number;
  readonly withEdits: number;
}

export interface SiteEditsAnswer {
  readonly hosts: readonly SiteEdits[];
  /** 1 for every check that spans an edit of its host, whatever it saw. */
  readonly spans: Uint8Array;
}

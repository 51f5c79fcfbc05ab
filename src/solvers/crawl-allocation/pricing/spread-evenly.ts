/**
 * Adds `extra` crawls, as evenly as the maxima allow, to the first pages where not even: they all save the same. O(N) a
 * round.
 */
export function spreadEvenly(crawls: Int32Array, maximum: Int32Array, extra: number): void {
  let left = extra;
  while (left > 0) {
    let open = 0;
    for (let i = 0; i < crawls.length; i++) if (crawls[i] < maximum[i]) open++;
    const each = Math.max(1, Math.floor(left / open));
    for (let i = 0; i < crawls.length && left > 0; i++) {
      const more = Math.min(each, maximum[i] - crawls[i], left);
      crawls[i] += more;
      left -= more;
    }
  }
}

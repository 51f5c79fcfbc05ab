/** A sample of many pages, which tells where the price of all is. */

const [smallest, largest, share] = [256, 16_384, 1 / 16];

/** With more pages than this a sample finds a start. */
export const sampledFrom = 4096;

/** Positions of the sample, rising: of every so many pages one, with no period that pages might have too. */
export function sampleOf(pages: number): Uint32Array {
  const stride = Math.ceil(pages / Math.min(largest, Math.max(smallest, share * pages)));
  const within = (k: number): number => (Math.imul(k, 0x9e3779b1) >>> 0) % stride;
  return Uint32Array.from({ length: Math.floor(pages / stride) }, (_, k) => k * stride + within(k));
}

/** A sample of many pages, which tells where the price of all is. */

const sampleSize = 16_384;

/** With more pages than this a sample finds a start. */
export const sampledFrom = 2 * sampleSize;

/** Positions of the sample: every so many pages one. */
export function sampleOf(pages: number): Uint32Array {
  const stride = Math.ceil(pages / sampleSize);
  return Uint32Array.from({ length: Math.ceil(pages / stride) }, (_, k) => k * stride);
}

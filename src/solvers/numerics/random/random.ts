/** A source of uniform random numbers in [0, 1): always passed in, never global. */
export type Random = () => number;

/**
 * Seeded generator xoshiro128** (Blackman & Vigna, 2018), its state filled by splitmix32 from `seed`; 53 random bits
 * a call. Period 2^128 − 1; not for cryptography.
 *
 * @param seed any finite number; two seeds that differ give unrelated streams
 */
export function seededRandom(seed: number): Random {
  const bits = new Uint32Array(new Float64Array([seed]).buffer);
  let z = (bits[0] ^ Math.imul(bits[1], 0x9e3779b9)) >>> 0;
  const splitmix = (): number => {
    z = (z + 0x9e3779b9) | 0;
    let t = z ^ (z >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a2d97);
    return (t ^ (t >>> 15)) >>> 0;
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let d = splitmix();
  const next = (): number => {
    const t5 = Math.imul(b, 5);
    const result = Math.imul((t5 << 7) | (t5 >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
}

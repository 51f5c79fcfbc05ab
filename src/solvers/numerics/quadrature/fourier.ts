/**
 * The discrete Fourier transform of a power-of-two size, in place, for convolutions. Forward by decimation in frequency
 * leaves the spectrum in bit-reversed order. Inverse by decimation in time takes it from there, so that nothing is ever
 * reordered (Gentleman and Sande 1966; Cooley and Tukey 1965). O(n log n); relative error in the 2-norm about
 * 1e−16·√(log₂ n).
 */
export interface FourierTransform {
  readonly size: number;
  /** (re, im) → its spectrum, in bit-reversed order. */
  forward(re: Float64Array, im: Float64Array): void;
  /** A spectrum in bit-reversed order → the sequence. */
  inverse(re: Float64Array, im: Float64Array): void;
}

/** @param size a power of two ≥ 2 */
export function fourierTransform(size: number): FourierTransform {
  const cosine = new Float64Array(size / 2);
  const sine = new Float64Array(size / 2);
  for (let k = 0; k < size / 2; k++) {
    cosine[k] = Math.cos((2 * Math.PI * k) / size);
    sine[k] = Math.sin((2 * Math.PI * k) / size);
  }
  return {
    size,
    forward(re, im) {
      for (let length = size, stride = 1; length >= 2; length >>= 1, stride <<= 1) {
        const half = length >> 1;
        for (let start = 0; start < size; start += length) {
          for (let k = start, t = 0; k < start + half; k++, t += stride) {
            const r = re[k] - re[k + half];
            const i = im[k] - im[k + half];
            re[k] += re[k + half];
            im[k] += im[k + half];
            re[k + half] = r * cosine[t] + i * sine[t];
            im[k + half] = i * cosine[t] - r * sine[t];
          }
        }
      }
    },
    inverse(re, im) {
      for (let length = 2, stride = size >> 1; length <= size; length <<= 1, stride >>= 1) {
        const half = length >> 1;
        for (let start = 0; start < size; start += length) {
          for (let k = start, t = 0; k < start + half; k++, t += stride) {
            const r = re[k + half] * cosine[t] - im[k + half] * sine[t];
            const i = im[k + half] * cosine[t] + re[k + half] * sine[t];
            re[k + half] = re[k] - r;
            im[k + half] = im[k] - i;
            re[k] += r;
            im[k] += i;
          }
        }
      }
      for (let k = 0; k < size; k++) {
        re[k] /= size;
        im[k] /= size;
      }
    },
  };
}

/**
 * The kernel (page-gain.ts) of Poisson updates: S(v) = e^(−v), unit σ = m = 1/rate.
 *
 *   G(s) = 1 − (1 + s)e^(−s),  I(b, d) = e^(−b)·χ(d),  χ(d) = d + expm1(−d),  F_e(s) = −expm1(−s).
 *
 * G and χ are taken from their power series below 1/2, where the closed forms cancel; relative error ≤ 3e−15 everywhere.
 * Cost: one or two exponentials a call. Source: Wolf et al. (2002), (10)–(14).
 */

/** G(s) = 1 − (1 + s)e^(−s) = s²·Σ_k (−s)^k/(k!·(k + 2)). */
export function poissonPartial(s: number): number {
  if (s >= 0.5) return 1 - (1 + s) * Math.exp(-s);
  return (
    s *
    s *
    (1 / 2 -
      s *
        (1 / 3 -
          s *
            (1 / 8 -
              s *
                (1 / 30 -
                  s *
                    (1 / 144 -
                      s *
                        (1 / 840 -
                          s *
                            (1 / 5760 -
                              s *
                                (1 / 45360 -
                                  s *
                                    (1 / 403200 -
                                      s *
                                        (1 / 3991680 -
                                          s *
                                            (1 / 43545600 -
                                              s *
                                                (1 / 518918400 -
                                                  s * (1 / 6706022400 - (s * 1) / 93405312000)))))))))))))
  );
}

/** χ(d) = d − 1 + e^(−d) = d²·Σ_k (−d)^k/(k + 2)! */
export function poissonStretch(d: number): number {
  if (d >= 0.5) return d + Math.expm1(-d);
  if (d < 0.01)
    return (
      d * d * (1 / 2 - d * (1 / 6 - d * (1 / 24 - d * (1 / 120 - d * (1 / 720 - d * (1 / 5040 - (d * 1) / 40320))))))
    );
  return (
    d *
    d *
    (1 / 2 -
      d *
        (1 / 6 -
          d *
            (1 / 24 -
              d *
                (1 / 120 -
                  d *
                    (1 / 720 -
                      d *
                        (1 / 5040 -
                          d *
                            (1 / 40320 -
                              d *
                                (1 / 362880 -
                                  d *
                                    (1 / 3628800 -
                                      d *
                                        (1 / 39916800 -
                                          d *
                                            (1 / 479001600 -
                                              d *
                                                (1 / 6227020800 -
                                                  d * (1 / 87178291200 - (d * 1) / 1307674368000)))))))))))))
  );
}

/** I(b, d) for Poisson updates. */
export function poissonTriangle(b: number, d: number): number {
  return Math.exp(-b) * poissonStretch(d);
}

/** δ·G(b) + n₁·I(b, d), in units of 1/rate. */
export function poissonGain(b: number, d: number, n1: number, delta: number): number {
  return delta * poissonPartial(b) + n1 * Math.exp(-b) * poissonStretch(d);
}

/** M(Y, 0, 1): the first crawl of a page never crawled. */
export function poissonFirstGain(total: number): number {
  return -Math.expm1(-total);
}

/** F_e(s): the chance that a page crawled s mean gaps ago is stale. */
export function poissonEquilibrium(s: number): number {
  return -Math.expm1(-s);
}

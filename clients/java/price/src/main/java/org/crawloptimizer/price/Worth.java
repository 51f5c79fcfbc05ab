package org.crawloptimizer.price;

import java.util.function.DoubleUnaryOperator;

/** V(age): what a fetch of a page of weight 1 is worth, in the mean over a belief in its rate. */
final class Worth {
  /** Weight below which a memory is skipped. */
  private static final double LEAST_SHARE = 1e-16;

  private Worth() {}

  private interface Law {
    double worth(double a, double b, double age);
  }

  static DoubleUnaryOperator of(PageBelief belief, CrawlPrice.Objective objective) {
    Law law = lawOf(objective);
    double[] shares = belief.shares();
    return age -> {
      double sum = 0;
      for (int k = 0; k < 4; k++) {
        if (shares[k] > LEAST_SHARE) sum += shares[k] * law.worth(belief.shape()[k], belief.scale()[k], age);
      }
      return sum;
    };
  }

  private static Law lawOf(CrawlPrice.Objective objective) {
    switch (objective) {
      case DELAY:
        return (a, b, age) -> a / b * age * age / 2;
      case HARMONIC:
        return Worth::harmonic;
      default:
        return (a, b, age) -> b * firstMoment(a, age / b);
    }
  }

  /** The limit of a fetch's worth under freshness as the age goes to infinity. */
  static double most(PageBelief belief) {
    double[] shares = belief.shares();
    double most = 0;
    for (int k = 0; k < 4; k++) {
      if (shares[k] <= LEAST_SHARE) continue;
      if (belief.shape()[k] <= 1) return Double.POSITIVE_INFINITY;
      most += shares[k] * belief.scale()[k] / (belief.shape()[k] - 1);
    }
    return most;
  }

  /**
   * age·E[x/(1 + x)], x = rate·age: the integral of e^(−t)(1 − (1 + t·age/b)^−a), by the trapezoidal rule in v with t =
   * exp(v − e^(−v)).
   */
  private static double harmonic(double a, double b, double age) {
    double sum = 0;
    for (int n = -36; n <= 36; n++) {
      double rest = Math.exp(-n / 8.);
      double t = Math.exp(n / 8. - rest);
      sum -= Math.exp(-t) * t * (1 + rest) * Math.expm1(-a * Math.log1p(age / b * t));
    }
    return age * sum / 8;
  }

  /** ∫₀ᵘ t·f(t) dt of the time to a change in units of the scale, f(t) = a(1 + t)^(−a−1). */
  private static double firstMoment(double a, double u) {
    if ((a + 2) * u < 0.3) return series(a, u);
    double logAge = Math.log1p(u);
    double fresh = Math.exp(-a * logAge);
    double area = Math.abs(a - 1) * logAge > 0.5 ? (1 - fresh * (1 + u)) / (a - 1) : decayed(a - 1, logAge);
    return area - u * fresh;
  }

  /** (1 − e^(−k·logAge))/k. */
  private static double decayed(double k, double logAge) {
    return k == 0 ? logAge : -Math.expm1(-k * logAge) / k;
  }

  /** Series of the moment for small u. */
  private static double series(double a, double u) {
    double term = a * u * u;
    double sum = term / 2;
    for (int n = 1; n < 60; n++) {
      term *= -(a + n) * u / n;
      sum += term / (n + 2);
    }
    return sum;
  }
}

package org.crawloptimizer.price;

import java.util.Arrays;

/**
 * What is believed of a page's change rate: four memories of 20, 80, 320 and 1,280 units, by each of which the rate is
 * Gamma(shape, scale); {@code foretold} is ln P(its checks) by each, the older ones faded. Twelve numbers are all a
 * crawler keeps of a page (docs/how-to/crawling-by-a-price.md).
 */
public final class PageBelief {
  /** A day in seconds: the usual unit of the memories. */
  public static final double DAY = 86_400;

  private static final double PRIOR_SHAPE = 0.5;
  private static final double[] HALF_LIVES = {20, 80, 320, 1280};

  private final double[] shape;
  private final double[] scale;
  private final double[] foretold;

  /** A belief from its numbers, four of each kind. */
  public PageBelief(double[] shape, double[] scale, double[] foretold) {
    this.shape = shape;
    this.scale = scale;
    this.foretold = foretold;
  }

  double[] shape() {
    return shape;
  }

  double[] scale() {
    return scale;
  }

  /** The prior: mean changes per unit of time, and the length of a unit of the memories. */
  public static final class Prior {
    final double meanRate;
    final double memoryUnit;

    public Prior(double meanRate, double memoryUnit) {
      this.meanRate = meanRate;
      this.memoryUnit = memoryUnit;
    }
  }

  /** The belief in a page that has not been checked. */
  public static PageBelief of(Prior prior) {
    double[] shape = new double[4];
    double[] scale = new double[4];
    Arrays.fill(shape, PRIOR_SHAPE);
    Arrays.fill(scale, PRIOR_SHAPE / prior.meanRate);
    return new PageBelief(shape, scale, new double[4]);
  }

  /** The belief after a fetch, {@code elapsed} after the one before. */
  public PageBelief after(double elapsed, boolean changed, Prior prior) {
    return after(elapsed, changed, Double.NaN, prior);
  }

  /** The belief after a fetch, with the age of the latest change from Last-Modified; NaN if unknown. */
  public PageBelief after(double elapsed, boolean changed, double changeAge, Prior prior) {
    boolean known = changed && !Double.isNaN(changeAge);
    double tau = known ? changeAge : elapsed;
    if (!(tau >= 0 && tau <= elapsed)) throw new IllegalArgumentException("a check needs 0 <= changeAge <= elapsed");
    PageBelief next = new PageBelief(new double[4], new double[4], new double[4]);
    double rest = PRIOR_SHAPE / prior.meanRate;
    double fade = Math.exp(-Math.log(2) * tau / (365 * prior.memoryUnit));
    for (int k = 0; k < 4; k++) {
      double kept = Math.exp(-Math.log(2) * elapsed / (HALF_LIVES[k] * prior.memoryUnit));
      double a = PRIOR_SHAPE + kept * (shape[k] - PRIOR_SHAPE);
      double b = rest + kept * (scale[k] - rest);
      double logAge = Math.log1p(tau / b);
      double seen = -a * logAge;
      if (known) {
        seen += Math.log(a / b) - logAge;
        a += 1;
        b += tau;
      } else if (changed) {
        double chance = Math.max(-Math.expm1(seen), Double.MIN_VALUE);
        double stale = tau / (b + tau);
        double one = stale + (1 - stale) * chance;
        double two = stale + (1 - stale) * one;
        double mean = a / b * (one / chance);
        double square = a / b * (a + 1) / b * (two / chance);
        double variance = Math.max(square - mean * mean, 1e-6 * mean * mean);
        seen = Math.log(chance);
        b = mean / variance;
        a = mean * b;
      } else {
        b += tau;
      }
      next.shape[k] = a;
      next.scale[k] = b;
      next.foretold[k] = foretold[k] * fade + seen;
    }
    return next;
  }

  /** The weight of each memory. */
  public double[] shares() {
    double most = Arrays.stream(foretold).max().orElseThrow();
    double[] shares = Arrays.stream(foretold).map(each -> Math.exp(each - most)).toArray();
    double sum = Arrays.stream(shares).sum();
    return Arrays.stream(shares).map(each -> each / sum).toArray();
  }

  /** The mean of the believed rate. */
  public double meanRate() {
    double[] shares = shares();
    double mean = 0;
    for (int k = 0; k < 4; k++) mean += shares[k] * shape[k] / scale[k];
    return mean;
  }

  /** The twelve numbers in one line, for a crawler's metadata. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    for (double[] each : new double[][] {shape, scale, foretold}) {
      for (double value : each) text.append(text.length() == 0 ? "" : " ").append((float) value);
    }
    return text.toString();
  }

  /**
   * Parses a line of twelve numbers.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static PageBelief parse(String text) {
    double[] all = Arrays.stream(text.trim().split(" ")).mapToDouble(Double::parseDouble).toArray();
    if (all.length != 12) throw new IllegalArgumentException("a belief has twelve numbers, not " + all.length);
    return new PageBelief(
        Arrays.copyOfRange(all, 0, 4), Arrays.copyOfRange(all, 4, 8), Arrays.copyOfRange(all, 8, 12));
  }
}

package org.crawloptimizer.price;

import java.util.function.DoubleUnaryOperator;

/** When a page is due at a price of a fetch, and how the price is held (docs/how-to/crawling-by-a-price.md). */
public final class CrawlPrice {
  /** What staleness costs. */
  public enum Objective {
    FRESHNESS,
    DELAY,
    HARMONIC
  }

  private CrawlPrice() {}

  /** The age of the copy at which a fetch of a page of known rate is worth the price; infinite where it never is. */
  public static double dueAge(double rate, double weight, double price, Objective objective) {
    double target = price / weight;
    if (!(target > 0)) return 0;
    switch (objective) {
      case DELAY:
        return Math.sqrt(2 * target / rate);
      case HARMONIC:
        return (target + Math.sqrt(target * target + 4 * target / rate)) / 2;
      default:
        double share = price * rate / weight;
        return share < 1 ? changesAt(share) / rate : Double.POSITIVE_INFINITY;
    }
  }

  /** The age of the copy at which a fetch of a page with a belief about its rate is worth the price. */
  public static double dueAge(PageBelief belief, double weight, double price, Objective objective) {
    double target = price / weight;
    if (!(target > 0)) return 0;
    if (objective == Objective.FRESHNESS && Worth.most(belief) <= target) return Double.POSITIVE_INFINITY;
    double start = Math.sqrt((objective == Objective.HARMONIC ? 1 : 2) * target / belief.meanRate());
    return risingRoot(Worth.of(belief, objective), target, start);
  }

  /** Worth of a fetch at an age. The worth for a new page at the target mean interval is the first price of a crawl. */
  public static double worthOfFetch(PageBelief belief, double weight, double age, Objective objective) {
    return weight * Worth.of(belief, objective).applyAsDouble(age);
  }

  /**
   * The price for the next window.
   *
   * @param price in the last window, a tenth to a half of the pages' mean interval
   * @param seen fetches made in the last window
   * @param wanted fetches wanted in the last window
   * @param pages that are kept
   * @param ahead fetches made since the start beyond those wanted
   */
  public static double nextPrice(double price, double seen, double wanted, double pages, double ahead) {
    double power = Math.min(1, wanted / (2 * pages));
    double aimed = Math.min(5 * wanted, Math.max(wanted / 5, wanted - 0.5 * power * ahead));
    double ratio = Math.min(5, Math.max(0.2, (seen + 0.5) / (aimed + 0.5)));
    return price * Math.pow(ratio, power);
  }

  /** The y with 1 − (1 + y)e^(−y) = load: the root of y − ln(1 + y) = −ln(1 − load). */
  private static double changesAt(double load) {
    double rest = -Math.log1p(-load);
    double u = Math.sqrt(2 * rest);
    if (u < 0.1) {
      double tail = u * (1. / 4320 + u * (1. / 17010 - u * 139 / 5443200));
      return u * (1 + u * (1. / 3 + u * (1. / 36 + u * (-1. / 270 + tail))));
    }
    double y = u + rest;
    for (int round = 0; round < 60; round++) {
      double step = (y - Math.log1p(y) - rest) * (1 + y) / y;
      y -= step;
      if (Math.abs(step) <= 1e-15 * y) break;
    }
    return y;
  }

  /** Solves f(age) = target for a rising f, by bracketed secant steps in the logarithms. */
  private static double risingRoot(DoubleUnaryOperator worth, double target, double start) {
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    double at = Math.log(start);
    double power = 2;
    double before = Double.NaN;
    double missed = Double.NaN;
    for (int round = 0; round < 200; round++) {
      double miss = Math.log(worth.applyAsDouble(Math.exp(at)) / target);
      if (miss > 0) high = at;
      else low = at;
      if (Math.abs(at - before) > 1e-9) power = (miss - missed) / (at - before);
      power = Math.min(4, Math.max(1e-3, power));
      double step = Math.max(-8, Math.min(8, miss / power));
      if (Math.abs(step) < 1e-13) return Math.exp(at - step);
      double next = at - step;
      if (!(low < next && next < high)) {
        if (low == Double.NEGATIVE_INFINITY) next = high - 2;
        else next = high == Double.POSITIVE_INFINITY ? low + 2 : (low + high) / 2;
      }
      before = at;
      missed = miss;
      at = next;
    }
    return Math.exp(at);
  }
}

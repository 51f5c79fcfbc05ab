package org.crawloptimizer.stormcrawler;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.crawloptimizer.price.CrawlPrice;

/**
 * The price of a worker's schedulers, moved so that known pages are fetched as often as wanted. Nothing keeps it but the
 * pages: each carries the price at which it was scheduled. A worker that starts takes that of the page checked last.
 */
final class HeldPrice {
  /** Time between two price updates, as a share of the mean interval. */
  private static final double WINDOW = 0.25;
  /** Smoothing factor of the page count per window. */
  private static final double SHARE = 0.25;

  private static final Map<String, HeldPrice> BY_TOPOLOGY = new ConcurrentHashMap<>();

  private final double perSecond;
  private double pages;
  private double price;
  private double began = Double.NaN;
  private long seen;
  private double ages;
  private boolean moved;
  private double latest;

  /**
   * @param perSecond fetches wanted of the worker; NaN where the price stays
   * @param interval the mean interval until pages have been seen again
   */
  HeldPrice(double first, double perSecond, double interval) {
    price = first;
    this.perSecond = perSecond;
    pages = perSecond * interval;
  }

  /** The instance shared by a topology's schedulers in this worker. */
  static HeldPrice of(String topology, double first, double perSecond, double interval) {
    if (Double.isNaN(perSecond)) return new HeldPrice(first, perSecond, interval);
    return BY_TOPOLOGY.computeIfAbsent(topology, name -> new HeldPrice(first, perSecond, interval));
  }

  /** Whether a price exists that pages must store. */
  boolean isHeld() {
    return !Double.isNaN(perSecond);
  }

  /** The price at a page's first fetch; first fetches do not count toward the wanted number. */
  synchronized double price() {
    return price;
  }

  /** The price at a fetch of a known page, whose metadata have the time of its last check and the price at that time. */
  synchronized double at(double now, double checked, double carried) {
    if (!isHeld()) return price;
    if (!moved && checked > latest && carried > 0) {
      price = carried;
      latest = checked;
    }
    // nothing is known to come due before
    if (Double.isNaN(began)) began = now;
    seen++;
    if (checked > 0) ages += now - checked;
    double elapsed = now - began;
    if (elapsed >= WINDOW * pages / perSecond) {
      // of a page's time all lies between two fetches of it, so that their ages add up to the pages' time
      if (ages > 0) pages = Math.max(1, pages + SHARE * (ages / elapsed - pages));
      price = CrawlPrice.nextPrice(price, seen, perSecond * elapsed, pages, 0);
      moved = true;
      began = now;
      seen = 0;
      ages = 0;
    }
    return price;
  }
}

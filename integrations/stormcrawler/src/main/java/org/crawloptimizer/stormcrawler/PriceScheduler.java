package org.crawloptimizer.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.DefaultScheduler;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.crawloptimizer.price.CrawlPrice;
import org.crawloptimizer.price.CrawlPrice.Objective;
import org.crawloptimizer.price.PageBelief;

/**
 * Comes back to a page once a fetch of it is worth its price: no plan, no log, no service, and any status backend. What
 * is believed of the page's change rate stands in its metadata, and the price too where it is moved.
 *
 * <pre>
 * scheduler.class: "org.crawloptimizer.stormcrawler.PriceScheduler"
 * crawl.mean.interval: 604800     # seconds between two fetches of a page, in the mean
 * crawl.per.day: 30000            # fetches of known pages wanted a day; left out: the price stays
 * crawl.price: 41000              # the first; left out: the one that fetches new pages at the mean interval
 * crawl.objective: freshness
 * metadata.persist: [price.belief, price.checked, price.signature, price.paid, …]
 * </pre>
 *
 * <p>A change is told by the key {@code signature} of MD5SignatureParseFilter, or a status 304. A fetch with neither is
 * no check: it says nothing of changes.
 */
public class PriceScheduler extends DefaultScheduler {
  public static final String BELIEF = "price.belief";
  public static final String CHECKED = "price.checked";
  public static final String SIGNATURE = "price.signature";
  public static final String PAID = "price.paid";

  private Clock clock = Clock.systemUTC();
  private HeldPrice held;
  private double longest;
  private PageBelief.Prior prior;
  private Objective objective;

  /** For tests. */
  void setClock(Clock clock) {
    this.clock = clock;
  }

  @Override
  public void init(Map<String, Object> configuration) {
    super.init(configuration);
    double interval = number(configuration, "crawl.mean.interval", 30 * PageBelief.DAY);
    prior = new PageBelief.Prior(1 / interval, Math.min(PageBelief.DAY, 5 * interval));
    objective =
        Objective.valueOf(ConfUtils.getString(configuration, "crawl.objective", "freshness").toUpperCase(Locale.ROOT));
    double first = CrawlPrice.worthOfFetch(PageBelief.of(prior), 1, interval, objective);
    double perDay = number(configuration, "crawl.per.day", Double.NaN);
    // the pages of a topology are dealt to its workers evenly
    double perSecond = perDay / PageBelief.DAY / number(configuration, "topology.workers", 1);
    String topology = ConfUtils.getString(configuration, "topology.name", "");
    held = HeldPrice.of(topology, number(configuration, "crawl.price", first), perSecond, interval);
    longest = number(configuration, "crawl.longest.interval", 180 * PageBelief.DAY);
  }

  private static double number(Map<String, Object> configuration, String name, double otherwise) {
    Object value = configuration.get(name);
    return value == null ? otherwise : Double.parseDouble(value.toString());
  }

  @Override
  public Optional<Date> schedule(Status status, Metadata metadata) {
    if (status != Status.FETCHED) return super.schedule(status, metadata);
    Instant now = clock.instant();
    String known = metadata.getFirstValue(BELIEF);
    PageBelief belief = known == null ? PageBelief.of(prior) : PageBelief.parse(known);
    boolean notModified = "304".equals(metadata.getFirstValue("fetch.statusCode"));
    String signature = metadata.getFirstValue("signature");
    String signed = metadata.getFirstValue(SIGNATURE);
    String checked = metadata.getFirstValue(CHECKED);
    boolean tells = notModified || (signature != null && signed != null);
    if (tells && checked != null) {
      double elapsed = (now.toEpochMilli() - Long.parseLong(checked)) / 1000.;
      if (elapsed > 0) belief = belief.after(elapsed, !notModified && !signature.equals(signed), prior);
    }
    if (tells || (checked == null && signature != null)) {
      metadata.setValue(CHECKED, Long.toString(now.toEpochMilli()));
    }
    if (signature != null && !notModified) metadata.setValue(SIGNATURE, signature);
    metadata.setValue(BELIEF, belief.toText());
    double price = priceAt(now, known != null, checked, metadata);
    double age = Math.min(longest, CrawlPrice.dueAge(belief, 1, price, objective));
    return Optional.of(Date.from(now.plusMillis(Math.round(1000 * age))));
  }

  private double priceAt(Instant now, boolean isKnown, String checked, Metadata metadata) {
    String paid = metadata.getFirstValue(PAID);
    double at = checked == null ? 0 : Long.parseLong(checked) / 1000.;
    double carried = paid == null ? 0 : Double.parseDouble(paid);
    double price = isKnown ? held.at(now.toEpochMilli() / 1000., at, carried) : held.price();
    if (held.isHeld()) metadata.setValue(PAID, Double.toString(price));
    return price;
  }
}

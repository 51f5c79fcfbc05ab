package org.crawloptimizer.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;

/**
 * A pilot: a coin deals the pages to the plan and to StormCrawler's own rule, period by period (docs/how-to/pilot.md).
 * Its settings are those of the file that {@code crawl-optimizer pilot start} writes: {@code plan.pilot.seed} and
 * {@code plan.pilot.period} in seconds. Without a seed every page is the plan's.
 *
 * <p>A scheduler is not told the URL: the page or host that is dealt stands in the metadata {@code plan.unit}, the
 * moment of the next probe in {@code plan.probe}, in epoch seconds. Both are written with the plan.
 */
final class Pilot {
  static final String UNIT = "plan.unit";
  static final String PROBE = "plan.probe";
  private final String seed;
  private final long period;

  Pilot(String seed, long period) {
    this.seed = seed;
    this.period = period;
  }

  static Pilot of(Map<String, Object> configuration) {
    return new Pilot(ConfUtils.getString(configuration, "plan.pilot.seed"),
        ConfUtils.getLong(configuration, "plan.pilot.period", 86_400));
  }

  /** Whether a page belongs to the plan at a time. One that nobody has named is left to StormCrawler's own rule. */
  boolean isPlan(Metadata metadata, Instant time) {
    String unit = metadata.getFirstValue(UNIT);
    return seed == null || (unit != null && coin(unit, Math.floorDiv(time.getEpochSecond(), period)));
  }

  boolean coin(String unit, long number) {
    return digest(seed + "/" + number + "/" + unit)[0] >= 0;
  }

  /** The next date, or the probe where it comes before. */
  Optional<Date> withProbe(Optional<Date> next, Metadata metadata, Instant now) {
    String probe = metadata.getFirstValue(PROBE);
    if (seed == null || probe == null || probe.isEmpty()) {
      return next;
    }
    Date due = new Date((long) Math.ceil(1000 * Double.parseDouble(probe)));
    boolean isAhead = due.toInstant().isAfter(now);
    return isAhead && (next.isEmpty() || due.before(next.get())) ? Optional.of(due) : next;
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java platform has MD5", missing);
    }
  }
}

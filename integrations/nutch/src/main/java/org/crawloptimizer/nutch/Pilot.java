package org.crawloptimizer.nutch;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * A pilot: a coin deals the pages to the plan and to Nutch's own rule, period by period (docs/how-to/pilot.md). Its
 * properties are those of the file that {@code crawl-optimizer pilot start} writes: {@code plan.pilot.seed}, {@code
 * plan.pilot.period} in seconds, {@code plan.pilot.unit}. Without a seed every page is the plan's.
 */
final class Pilot {
  static final String SEED = "plan.pilot.seed";
  static final String PERIOD = "plan.pilot.period";
  static final String UNIT = "plan.pilot.unit";
  /** When a page is to be probed, in epoch seconds; {@link PilotSeeds} puts it into the page's metadata. */
  static final String PROBE = "plan.probe";
  /** The interval of Nutch's own rule, which goes on from it whatever the plan does meanwhile. */
  private static final Text OWN_INTERVAL = new Text("plan.ownInterval");

  private final String seed;
  private final long period;
  private final boolean byHost;

  Pilot(String seed, long period, boolean byHost) {
    this.seed = seed;
    this.period = period;
    this.byHost = byHost;
  }

  static Pilot of(Configuration configuration) {
    return new Pilot(configuration.get(SEED), configuration.getLong(PERIOD, 86_400), "host".equals(configuration.get(UNIT)));
  }

  /** Whether a page belongs to the plan at a time, in milliseconds. */
  boolean isPlan(String url, long time) {
    return seed == null || coin(byHost ? host(url) : url, Math.floorDiv(time, 1000 * period));
  }

  boolean coin(String unit, long number) {
    return digest(seed + "/" + number + "/" + unit)[0] >= 0;
  }

  private static String host(String url) {
    try {
      String authority = URI.create(url).getRawAuthority();
      return authority == null ? url : authority.substring(authority.lastIndexOf('@') + 1).toLowerCase();
    } catch (IllegalArgumentException none) {
      return url;
    }
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java platform has MD5", missing);
    }
  }

  /** When a page is to be probed, in milliseconds; {@link Long#MAX_VALUE} for not at all. */
  static long probe(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(new Text(PROBE));
    return value == null || value.toString().isEmpty()
        ? Long.MAX_VALUE
        : (long) Math.ceil(1000 * Double.parseDouble(value.toString()));
  }

  /** Gives Nutch's own rule the interval it had, before it goes on. */
  void restoreOwnInterval(CrawlDatum datum) {
    Writable own = datum.getMetaData().get(OWN_INTERVAL);
    if (seed != null && own instanceof IntWritable) {
      datum.setFetchInterval(((IntWritable) own).get());
    }
  }

  /** Keeps what Nutch's own rule has made of its interval. */
  void keepOwnInterval(CrawlDatum datum) {
    if (seed != null) {
      datum.getMetaData().put(OWN_INTERVAL, new IntWritable(datum.getFetchInterval()));
    }
  }
}

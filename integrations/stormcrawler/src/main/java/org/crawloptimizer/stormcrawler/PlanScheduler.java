package org.crawloptimizer.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.AdaptiveScheduler;
import com.digitalpebble.stormcrawler.persistence.Status;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.Optional;
import org.crawloptimizer.price.TextFingerprint;

/**
 * Comes back to the pages of a plan of crawl-optimizer by the plan's two intervals: one for a page found changed, one
 * for a page found as it was. They stand in the URL's metadata, in seconds, or {@code never}. What tells a change
 * is what tells it to {@link AdaptiveScheduler}, to which pages without a plan are left: the signature against its
 * copy, or a status 304.
 *
 * <p>Every fetch that tells is noted in the metadata, as {@code time:version} in epoch seconds, for the next plan: {@code
 * crawl-optimizer import} reads them in an export of the status index. Without MD5SignatureParseFilter none does. With
 * {@link FingerprintParseFilter} in its place a change is noted as {@code time:version:share}, the share of the text.
 *
 * <pre>
 * scheduler.class: "org.crawloptimizer.stormcrawler.PlanScheduler"
 * metadata.persist:
 *  - plan.intervalIfUnchanged
 *  - plan.intervalIfChanged
 *  - plan.fetches
 *  - ... those of AdaptiveScheduler
 * </pre>
 */
public class PlanScheduler extends AdaptiveScheduler {
  public static final String IF_UNCHANGED = "plan.intervalIfUnchanged";
  public static final String IF_CHANGED = "plan.intervalIfChanged";
  public static final String FETCHES = "plan.fetches";
  /** About 1 kB a page. */
  static final int MAX_FETCHES = 64;

  private Clock clock = Clock.systemUTC();

  /** For tests. */
  void setClock(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Optional<Date> schedule(Status status, Metadata metadata) {
    boolean fetched = status == Status.FETCHED;
    boolean changed = fetched && changed(metadata);
    // Also keeps the metadata that AdaptiveScheduler lives by, should the page drop out of the plan.
    Optional<Date> adaptive = super.schedule(status, metadata);
    if (!fetched) {
      return adaptive;
    }
    Instant now = clock.instant();
    if (tells(metadata)) {
      note(metadata, now, changed);
    }
    String interval = metadata.getFirstValue(changed ? IF_CHANGED : IF_UNCHANGED);
    return interval == null ? adaptive : planned(interval, now);
  }

  /** An empty Optional is StormCrawler's word for never. */
  private static Optional<Date> planned(String interval, Instant now) {
    return interval.isEmpty() || interval.equals("never")
        ? Optional.empty()
        : Optional.of(Date.from(now.plusMillis(Math.round(1000 * Double.parseDouble(interval)))));
  }

  /** Whether a fetch says anything of changes: without a signature and a 304 it is no check. */
  private static boolean tells(Metadata metadata) {
    return "304".equals(metadata.getFirstValue("fetch.statusCode")) || metadata.getFirstValue(SIGNATURE_KEY) != null;
  }

  private static boolean changed(Metadata metadata) {
    String signature = metadata.getFirstValue(SIGNATURE_KEY);
    String before = metadata.getFirstValue(SIGNATURE_OLD_KEY);
    return !"304".equals(metadata.getFirstValue("fetch.statusCode")) && signature != null && before != null
        && !signature.equals(before);
  }

  private static void note(Metadata metadata, Instant now, boolean changed) {
    String[] known = metadata.getValues(FETCHES);
    String[] fetches = known == null ? new String[0] : known;
    int version = 0;
    if (fetches.length > 0) {
      String last = fetches[fetches.length - 1];
      version = Integer.parseInt(last.split(":")[1]) + (changed ? 1 : 0);
    }
    String[] kept = Arrays.copyOfRange(fetches, Math.max(0, fetches.length - MAX_FETCHES + 1), fetches.length + 1);
    String share = TextFingerprint.noted(metadata.getFirstValue(SIGNATURE_OLD_KEY), metadata.getFirstValue(SIGNATURE_KEY));
    kept[kept.length - 1] = now.getEpochSecond() + ":" + version + (changed ? share : "");
    metadata.setValues(FETCHES, kept);
  }
}

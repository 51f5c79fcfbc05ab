package org.crawloptimizer.nutch;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.util.StringUtil;
import org.crawloptimizer.price.TextFingerprint;

/**
 * The last fetches of a page, in its metadata: {@code time:version} in epoch seconds, separated by spaces; the version
 * is one more at every change. A crawldb by itself keeps the last fetch alone, from which no rate can be told.
 *
 * <p>Under {@link FingerprintSignature} a change is {@code time:version:share}, the share of the text. A schedule sees the
 * signature of the fetch before the present one: it is kept, and each share is known one fetch later, or at the export.
 */
final class FetchHistory {
  /** About 1 kB a page. */
  static final int MAX_FETCHES = 64;

  private static final Text KEY = new Text("plan.fetches");
  /** The signature of the fetch before the last that is noted. */
  private static final Text BEFORE = new Text("plan.signature");

  private FetchHistory() {}

  /** Whether a fetch that did not fail saw the page: one that redirects was not seen. */
  static boolean wasSeen(CrawlDatum fetched) {
    byte status = fetched.getStatus();
    return status != CrawlDatum.STATUS_FETCH_REDIR_TEMP && status != CrawlDatum.STATUS_FETCH_REDIR_PERM;
  }

  static void add(CrawlDatum datum, long fetchTime, boolean changed) {
    List<String> fetches = of(datum);
    int version = fetches.isEmpty() ? 0 : version(fetches.get(fetches.size() - 1)) + (changed ? 1 : 0);
    if (datum.getSignature() != null) datum.getMetaData().put(BEFORE, new Text(signature(datum)));
    fetches.add(fetchTime / 1000 + ":" + version);
    int from = Math.max(0, fetches.size() - MAX_FETCHES);
    datum.getMetaData().put(KEY, new Text(String.join(" ", fetches.subList(from, fetches.size()))));
  }

  /** Oldest first; the last has its share by the signature that the datum has. */
  static List<String> of(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(KEY);
    List<String> fetches = value == null ? new ArrayList<>() : new ArrayList<>(List.of(value.toString().split(" ")));
    int last = fetches.size() - 1;
    Writable before = datum.getMetaData().get(BEFORE);
    boolean changed = last > 0 && version(fetches.get(last)) > version(fetches.get(last - 1));
    boolean known = !changed || before == null || datum.getSignature() == null || fetches.get(last).split(":").length > 2;
    // the same signature is that of a segment generated earlier
    if (!known && !before.toString().equals(signature(datum))) {
      fetches.set(last, fetches.get(last) + TextFingerprint.noted(before.toString(), signature(datum)));
    }
    return fetches;
  }

  private static int version(String fetch) {
    return Integer.parseInt(fetch.split(":")[1]);
  }

  private static String signature(CrawlDatum datum) {
    return StringUtil.toHexString(datum.getSignature());
  }
}

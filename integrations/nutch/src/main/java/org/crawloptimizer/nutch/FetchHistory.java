package org.crawloptimizer.nutch;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * The last fetches of a page, in its metadata: {@code time:version} in epoch seconds, separated by spaces; the version
 * is one more at every change. A crawldb by itself keeps the last fetch alone, from which no rate can be told.
 */
final class FetchHistory {
  /** About 1 kB a page. */
  static final int MAX_FETCHES = 64;

  private static final Text KEY = new Text("plan.fetches");

  private FetchHistory() {}

  static void add(CrawlDatum datum, long fetchTime, boolean changed) {
    List<String> fetches = of(datum);
    int version = 0;
    if (!fetches.isEmpty()) {
      String last = fetches.get(fetches.size() - 1);
      version = Integer.parseInt(last.substring(last.indexOf(':') + 1)) + (changed ? 1 : 0);
    }
    fetches.add(fetchTime / 1000 + ":" + version);
    int from = Math.max(0, fetches.size() - MAX_FETCHES);
    datum.getMetaData().put(KEY, new Text(String.join(" ", fetches.subList(from, fetches.size()))));
  }

  /** Oldest first. */
  static List<String> of(CrawlDatum datum) {
    Writable value = datum.getMetaData().get(KEY);
    return value == null ? new ArrayList<>() : new ArrayList<>(List.of(value.toString().split(" ")));
  }
}

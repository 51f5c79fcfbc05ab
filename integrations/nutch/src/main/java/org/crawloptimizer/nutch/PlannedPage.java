package org.crawloptimizer.nutch;

import java.util.function.Function;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/** What a plan says of a page: when to fetch it, and when to come back, by what that fetch sees. */
final class PlannedPage {
  static final String NEXT_FETCH = "plan.nextFetch";
  static final String IF_UNCHANGED = "plan.intervalIfUnchanged";
  static final String IF_CHANGED = "plan.intervalIfChanged";

  /** In milliseconds, as Nutch counts; {@link Long#MAX_VALUE} for never. */
  final long nextFetch;
  /** In seconds, as Nutch counts; infinite for never. */
  final float intervalIfUnchanged;
  final float intervalIfChanged;

  private PlannedPage(long nextFetch, float intervalIfUnchanged, float intervalIfChanged) {
    this.nextFetch = nextFetch;
    this.intervalIfUnchanged = intervalIfUnchanged;
    this.intervalIfChanged = intervalIfChanged;
  }

  /** From the metadata of a CrawlDatum, as the injector leaves it; null where the page is not planned. */
  static PlannedPage of(MapWritable metadata) {
    return of(name -> {
      Writable value = metadata.get(new Text(name));
      return value == null ? null : value.toString();
    });
  }

  /** From texts by name; an empty text is a null of the answer: never. */
  static PlannedPage of(Function<String, String> field) {
    String next = field.apply(NEXT_FETCH);
    String ifUnchanged = field.apply(IF_UNCHANGED);
    String ifChanged = field.apply(IF_CHANGED);
    if (next == null || ifUnchanged == null || ifChanged == null) {
      return null;
    }
    long time = next.isEmpty() ? Long.MAX_VALUE : (long) Math.ceil(1000 * Double.parseDouble(next));
    return new PlannedPage(time, interval(ifUnchanged), interval(ifChanged));
  }

  private static float interval(String text) {
    return text.isEmpty() ? Float.POSITIVE_INFINITY : Float.parseFloat(text);
  }
}

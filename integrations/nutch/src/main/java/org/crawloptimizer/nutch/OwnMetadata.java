package org.crawloptimizer.nutch;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * Keeps the schedule's metadata of a page in the crawldb only. {@code updatedb} would overwrite newer values with those of
 * a segment, and Nutch would copy them to the target of a redirect.
 */
final class OwnMetadata {
  private OwnMetadata() {}

  /** Removes the schedule's metadata from an entry that the generator puts into a segment. */
  static boolean keepFromSegment(boolean generated, CrawlDatum datum) {
    if (generated) {
      MapWritable metadata = datum.getMetaData();
      List<Writable> own = new ArrayList<>();
      for (Writable key : metadata.keySet()) {
        if (key.toString().startsWith("price.")) own.add(key);
      }
      own.forEach(metadata::remove);
    }
    return generated;
  }
}

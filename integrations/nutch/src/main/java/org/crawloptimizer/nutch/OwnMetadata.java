package org.crawloptimizer.nutch;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * What the schedule knows of a page, in the metadata of the crawldb, stays there. {@code updatedb} writes the metadata of
 * a segment over those of the crawldb, also where another segment came meanwhile, and Nutch hands them on to
 * the target of a redirect.
 */
final class OwnMetadata {
  private OwnMetadata() {}

  /** What the generator takes into its segment goes without them. */
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

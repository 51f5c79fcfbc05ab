package org.crawloptimizer.nutch;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/**
 * What of a page's metadata is its own: Nutch hands the metadata of a page that redirects on to its target, which has
 * neither that page's plan nor its fetches.
 */
final class OwnMetadata {
  private static final Text PAGE = new Text("plan.page");

  private OwnMetadata() {}

  /** Removes what another page left, and notes whose it is from now on. */
  static void keep(Text url, MapWritable metadata) {
    Writable page = metadata.get(PAGE);
    if (page != null && !page.toString().equals(url.toString())) {
      List<Writable> inherited = new ArrayList<>();
      for (Writable key : metadata.keySet()) {
        if (key.toString().startsWith("plan.") || key.toString().startsWith("price.")) inherited.add(key);
      }
      inherited.forEach(metadata::remove);
    }
    metadata.put(PAGE, new Text(url));
  }
}

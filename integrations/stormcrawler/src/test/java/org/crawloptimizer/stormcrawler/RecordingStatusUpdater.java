package org.crawloptimizer.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.MemoryStatusUpdater;
import com.digitalpebble.stormcrawler.persistence.Status;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.tuple.Tuple;

/** StormCrawler's status in memory, and what it was told. */
public class RecordingStatusUpdater extends MemoryStatusUpdater {
  static final List<Stored> STORED = new CopyOnWriteArrayList<>();

  static final class Stored {
    final String url;
    final String belief;
    final String paid;
    final long at;
    final long next;

    Stored(String url, String belief, String paid, long at, long next) {
      this.url = url;
      this.belief = belief;
      this.paid = paid;
      this.at = at;
      this.next = next;
    }
  }

  @Override
  public void store(String url, Status status, Metadata metadata, Optional<Date> next, Tuple tuple) throws Exception {
    if (status == Status.FETCHED) {
      String belief = metadata.getFirstValue(PriceScheduler.BELIEF);
      STORED.add(new Stored(url, belief, metadata.getFirstValue(PriceScheduler.PAID), System.currentTimeMillis(), next.orElseThrow().getTime()));
    }
    super.store(url, status, metadata, next, tuple);
  }
}

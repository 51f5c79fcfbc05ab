package org.crawloptimizer.nutch;

import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.AdaptiveFetchSchedule;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * Fetches the pages of a plan of crawl-optimizer when they are due, and comes back by the plan's two intervals: one for
 * a page found changed, one for a page found as it was. The plan comes in the pages' metadata ({@link PlanSeeds}).
 * Pages without a plan are left to {@link AdaptiveFetchSchedule}.
 *
 * <p>Every fetch is noted in the metadata ({@link FetchHistory}), for {@link ExportObservations} and the next plan.
 */
public class PlanFetchSchedule extends AdaptiveFetchSchedule {
  /** When the last attempt at a page was made: the plan's next fetch holds until then, the intervals afterwards. */
  private static final Text ATTEMPTED = new Text("plan.attempted");

  /** What the generator takes becomes part of a segment: it leaves what is known of the page in the crawldb. */
  @Override
  public boolean shouldFetch(Text url, CrawlDatum datum, long curTime) {
    return OwnMetadata.keepFromSegment(isDue(url, datum, curTime), datum);
  }

  private boolean isDue(Text url, CrawlDatum datum, long curTime) {
    PlannedPage planned = PlannedPage.of(datum.getMetaData());
    if (planned == null || attempted(datum) >= planned.nextFetch) {
      return super.shouldFetch(url, datum, curTime);
    }
    return planned.nextFetch <= curTime;
  }

  @Override
  public CrawlDatum setFetchSchedule(Text url, CrawlDatum datum, long prevFetchTime, long prevModifiedTime,
      long fetchTime, long modifiedTime, int state) {
    CrawlDatum next =
        super.setFetchSchedule(url, datum, prevFetchTime, prevModifiedTime, fetchTime, modifiedTime, state);
    note(next, fetchTime);
    if (FetchHistory.wasSeen(next)) FetchHistory.add(next, fetchTime, state == STATUS_MODIFIED);
    PlannedPage planned = PlannedPage.of(next.getMetaData());
    if (planned == null) {
      return next;
    }
    float interval = state == STATUS_MODIFIED ? planned.intervalIfChanged : planned.intervalIfUnchanged;
    // Nutch counts intervals in whole seconds, and has no word for never: it looks again after its longest time.
    int seconds = Math.round(Math.min(interval, maxInterval));
    next.setFetchInterval(seconds);
    next.setFetchTime(fetchTime + 1000L * seconds);
    return next;
  }

  @Override
  public CrawlDatum setPageRetrySchedule(Text url, CrawlDatum datum, long prevFetchTime, long prevModifiedTime,
      long fetchTime) {
    return note(super.setPageRetrySchedule(url, datum, prevFetchTime, prevModifiedTime, fetchTime), fetchTime);
  }

  @Override
  public CrawlDatum setPageGoneSchedule(Text url, CrawlDatum datum, long prevFetchTime, long prevModifiedTime,
      long fetchTime) {
    return note(super.setPageGoneSchedule(url, datum, prevFetchTime, prevModifiedTime, fetchTime), fetchTime);
  }

  private static CrawlDatum note(CrawlDatum datum, long fetchTime) {
    datum.getMetaData().put(ATTEMPTED, new LongWritable(fetchTime));
    return datum;
  }

  private long attempted(CrawlDatum datum) {
    Writable time = datum.getMetaData().get(ATTEMPTED);
    return time instanceof LongWritable ? ((LongWritable) time).get() : calculateLastFetchTime(datum);
  }
}

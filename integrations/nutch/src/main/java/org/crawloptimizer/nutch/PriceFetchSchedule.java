package org.crawloptimizer.nutch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.AbstractFetchSchedule;
import org.apache.nutch.crawl.CrawlDatum;
import org.crawloptimizer.price.CrawlPrice;
import org.crawloptimizer.price.CrawlPrice.Objective;
import org.crawloptimizer.price.PageBelief;

/**
 * Fetches a page again once a fetch of it is worth its price: no plan, no log, no service. What is believed of a page's
 * change rate stands in its metadata, twelve numbers; every fetch revises it. {@code generate} asks with the price of
 * the moment, so that a new price holds for all pages at once.
 *
 * <pre>
 * db.fetch.schedule.class     org.crawloptimizer.nutch.PriceFetchSchedule
 * crawl.price.file            the file that {@link Price} writes the price of a fetch into
 * crawl.price                 in its place: the price, in weight times seconds
 * crawl.mean.interval         seconds between two fetches of a page in the mean: what is believed of new pages
 * crawl.objective             freshness, delay or harmonic
 * </pre>
 *
 * <p>Failures, gone pages and pages that redirect keep Nutch's rules and are no check.
 */
public class PriceFetchSchedule extends AbstractFetchSchedule {
  static final Text BELIEF = new Text("price.belief");
  static final Text CHECKED = new Text("price.checked");

  private double price;
  private PageBelief.Prior prior;
  private Objective objective;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf == null) return;
    double interval = conf.getDouble("crawl.mean.interval", 30 * PageBelief.DAY);
    prior = new PageBelief.Prior(1 / interval, Math.min(PageBelief.DAY, 5 * interval));
    objective = Objective.valueOf(conf.get("crawl.objective", "freshness").toUpperCase());
    price = conf.getDouble("crawl.price", firstPrice(interval, prior, objective));
    if (conf.get(Price.FILE) != null) price = written(new Path(conf.get(Price.FILE)), conf, price);
  }

  /** The price in the file; until the file exists, the price of the mean interval. */
  private static double written(Path file, Configuration conf, double first) {
    try {
      FileSystem files = file.getFileSystem(conf);
      if (!files.exists(file)) return first;
      try (BufferedReader in = new BufferedReader(new InputStreamReader(files.open(file), StandardCharsets.UTF_8))) {
        return Double.parseDouble(in.readLine().trim());
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Worth of a fetch of a page at an age in seconds. */
  double worth(CrawlDatum datum, double age) {
    return CrawlPrice.worthOfFetch(beliefOf(datum, prior), 1, age, objective);
  }

  double longestInterval() {
    return maxInterval;
  }

  /** The price at which unknown pages are fetched at the mean interval. */
  static double firstPrice(double interval, PageBelief.Prior prior, Objective objective) {
    return CrawlPrice.worthOfFetch(PageBelief.of(prior), 1, interval, objective);
  }

  @Override
  public CrawlDatum setFetchSchedule(Text url, CrawlDatum datum, long prevFetchTime, long prevModifiedTime,
      long fetchTime, long modifiedTime, int state) {
    CrawlDatum next =
        super.setFetchSchedule(url, datum, prevFetchTime, prevModifiedTime, fetchTime, modifiedTime, state);
    Writable before = next.getMetaData().get(CHECKED);
    PageBelief belief = beliefOf(next, prior);
    // a first fetch says nothing of changes, and neither does one whose state Nutch does not know
    if (before instanceof LongWritable && state != STATUS_UNKNOWN) {
      double elapsed = (fetchTime - ((LongWritable) before).get()) / 1000.;
      if (elapsed > 0) belief = belief.after(elapsed, state == STATUS_MODIFIED, prior);
    }
    next.getMetaData().put(BELIEF, new Text(belief.toText()));
    if (wasSeen(next)) next.getMetaData().put(CHECKED, new LongWritable(fetchTime));
    int seconds = interval(belief);
    next.setFetchInterval(seconds);
    next.setFetchTime(fetchTime + 1000L * seconds);
    return next;
  }

  /** Whether a successful fetch returned the page itself; a redirect did not. */
  private static boolean wasSeen(CrawlDatum fetched) {
    byte status = fetched.getStatus();
    return status != CrawlDatum.STATUS_FETCH_REDIR_TEMP && status != CrawlDatum.STATUS_FETCH_REDIR_PERM;
  }

  /** An entry that the generator takes goes into a segment; the belief stays in the crawldb. */
  @Override
  public boolean shouldFetch(Text url, CrawlDatum datum, long curTime) {
    return OwnMetadata.keepFromSegment(isDue(url, datum, curTime), datum);
  }

  boolean isDue(Text url, CrawlDatum datum, long curTime) {
    Writable checked = datum.getMetaData().get(CHECKED);
    if (!(checked instanceof LongWritable) || isUnseen(datum)) return super.shouldFetch(url, datum, curTime);
    return ((LongWritable) checked).get() + 1000L * interval(beliefOf(datum, prior)) <= curTime;
  }

  /** Whether the last fetch failed or redirected: the page waits for the time that was set then. */
  private static boolean isUnseen(CrawlDatum datum) {
    byte status = datum.getStatus();
    return datum.getRetriesSinceFetch() > 0 || status == CrawlDatum.STATUS_DB_GONE
        || status == CrawlDatum.STATUS_DB_REDIR_TEMP || status == CrawlDatum.STATUS_DB_REDIR_PERM;
  }

  /** Whole seconds, at most Nutch's longest interval, which also stands for never. */
  private int interval(PageBelief belief) {
    double age = CrawlPrice.dueAge(belief, 1, price, objective);
    return (int) Math.max(1, Math.round(Math.min(age, maxInterval)));
  }

  static PageBelief beliefOf(CrawlDatum datum, PageBelief.Prior prior) {
    Writable text = datum.getMetaData().get(BELIEF);
    return text == null ? PageBelief.of(prior) : PageBelief.parse(text.toString());
  }
}

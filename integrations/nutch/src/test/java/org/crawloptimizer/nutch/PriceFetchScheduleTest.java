package org.crawloptimizer.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.util.NutchConfiguration;
import org.junit.jupiter.api.Test;

/** Through Nutch's own factory and CrawlDatum. */
class PriceFetchScheduleTest {
  private static final long DAY = 86_400_000L;
  private static final long START = 1_700_000_000_000L;
  private static final Text URL = new Text("http://localhost/");

  private static FetchSchedule schedule(Double price) {
    Configuration conf = NutchConfiguration.create();
    conf.set("db.fetch.schedule.class", PriceFetchSchedule.class.getName());
    conf.setDouble("crawl.mean.interval", 7 * 86_400);
    if (price != null) conf.setDouble("crawl.price", price);
    return FetchScheduleFactory.getFetchSchedule(conf);
  }

  /** A page fetched every two days, changed at every so many fetches. */
  private static CrawlDatum page(FetchSchedule schedule, int every) {
    CrawlDatum datum = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 86_400);
    for (int n = 0; n < 30; n++) {
      long time = START + 2 * n * DAY;
      int state = n % every == 0 ? FetchSchedule.STATUS_MODIFIED : FetchSchedule.STATUS_NOTMODIFIED;
      datum = schedule.setFetchSchedule(URL, datum, time - 2 * DAY, 0, time, time, state);
    }
    return datum;
  }

  @Test
  void aNewPageIsFetchedAtTheMeanInterval() {
    FetchSchedule schedule = schedule(null);
    CrawlDatum datum = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 86_400);
    datum = schedule.setFetchSchedule(URL, datum, 0, 0, START, START, FetchSchedule.STATUS_MODIFIED);
    assertEquals(7 * 86_400, datum.getFetchInterval(), 1);
    assertFalse(schedule.shouldFetch(URL, datum, START + 6 * DAY));
    assertTrue(schedule.shouldFetch(URL, datum, START + 7 * DAY + 1000));
  }

  @Test
  void aPageThatChangesIsFetchedSoonerThanOneThatDoesNot() {
    FetchSchedule schedule = schedule(null);
    CrawlDatum sometimes = page(schedule, 4);
    CrawlDatum never = page(schedule, 1000);
    assertTrue(sometimes.getFetchInterval() < never.getFetchInterval());
    assertEquals(START + 58 * DAY + 1000L * sometimes.getFetchInterval(), sometimes.getFetchTime());
  }

  @Test
  void aHigherPriceHoldsForAllPagesAtTheNextGenerate() {
    FetchSchedule cheap = schedule(1000.);
    FetchSchedule dear = schedule(400_000.);
    CrawlDatum datum = page(cheap, 10);
    long due = datum.getFetchTime();
    assertFalse(dear.shouldFetch(URL, datum, due));
    assertTrue(cheap.shouldFetch(URL, datum, due));
  }

  @Test
  void failuresKeepNutchsRulesAndAreNoCheck() {
    FetchSchedule schedule = schedule(null);
    CrawlDatum datum = page(schedule, 4);
    String belief = datum.getMetaData().get(PriceFetchSchedule.BELIEF).toString();
    CrawlDatum gone = schedule.setPageGoneSchedule(URL, datum, 0, 0, START + 70 * DAY);
    assertEquals(belief, gone.getMetaData().get(PriceFetchSchedule.BELIEF).toString());
  }
}

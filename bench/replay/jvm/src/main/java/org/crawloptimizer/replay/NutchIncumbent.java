package org.crawloptimizer.replay;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.ReduceContext;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.counters.GenericCounter;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.nutch.crawl.AdaptiveFetchSchedule;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDbReducer;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.util.NutchConfiguration;

/**
 * A schedule of Nutch's, asked as Nutch's jobs ask it: the generator asks shouldFetch on a copy of the page's datum,
 * which becomes the fetch's, and the update of the crawldb is Nutch's own {@link CrawlDbReducer}.
 */
final class NutchIncumbent implements Incumbent {
  private final Reducer<Text, CrawlDatum, Text, CrawlDatum> reducer = new CrawlDbReducer();
  private final Reducer<Text, CrawlDatum, Text, CrawlDatum>.Context context;
  private final FetchSchedule schedule;
  private final CrawlDatum[] crawlDb;
  /** What the generator made of a page that is fetched now. */
  private final CrawlDatum[] generated;
  private CrawlDatum written;

  /** With {@link AdaptiveFetchSchedule}, or what else {@code settings} name as the schedule's class. */
  NutchIncumbent(int pages, long start, Map<String, String> settings) throws Exception {
    Configuration configuration = NutchConfiguration.create();
    configuration.set("db.fetch.schedule.class", AdaptiveFetchSchedule.class.getName());
    configuration.set("plugin.folders", "plugins");
    configuration.set("plugin.includes", "nutch-extensionpoints");
    // Settings of nutch-default.xml, which is no part of the jar.
    configuration.set("db.fetch.interval.default", "2592000");
    configuration.set("db.fetch.interval.max", "7776000");
    configuration.set("db.fetch.schedule.adaptive.inc_rate", "0.4");
    configuration.set("db.fetch.schedule.adaptive.dec_rate", "0.2");
    configuration.set("db.fetch.schedule.adaptive.min_interval", "60.0");
    configuration.set("db.fetch.schedule.adaptive.max_interval", "31536000.0");
    configuration.set("db.fetch.schedule.adaptive.sync_delta", "true");
    configuration.set("db.fetch.schedule.adaptive.sync_delta_rate", "0.3");
    settings.forEach(configuration::set);
    schedule = FetchScheduleFactory.getFetchSchedule(configuration);
    context = context(configuration);
    // The reducer's setup is open to its own package and to subclasses alone in Hadoop's base class, but public in
    // Nutch's.
    ((CrawlDbReducer) reducer).setup(context);
    crawlDb = new CrawlDatum[pages];
    generated = new CrawlDatum[pages];
    for (int page = 0; page < pages; page++) {
      CrawlDatum datum = new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 0);
      crawlDb[page] = schedule.initializeSchedule(url(page), datum);
      crawlDb[page].setFetchTime(start * 1000);
    }
  }

  /** A context that gives the settings and takes what the reducer writes. */
  @SuppressWarnings("unchecked")
  private Reducer<Text, CrawlDatum, Text, CrawlDatum>.Context context(Configuration configuration) {
    ReduceContext<Text, CrawlDatum, Text, CrawlDatum> bare =
        (ReduceContext<Text, CrawlDatum, Text, CrawlDatum>) Proxy.newProxyInstance(
            NutchIncumbent.class.getClassLoader(), new Class<?>[] {ReduceContext.class}, (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "getConfiguration":
                  return configuration;
                case "getCounter":
                  return new GenericCounter();
                case "write":
                  written = (CrawlDatum) ((CrawlDatum) arguments[1]).clone();
                  return null;
                default:
                  throw new UnsupportedOperationException(method.toString());
              }
            });
    return new WrappedReducer<Text, CrawlDatum, Text, CrawlDatum>().getReducerContext(bare);
  }

  /** A plan's figures become metadata of the crawldb, as Nutch's injector makes them of the seeds of a plan. */
  @Override
  public void planned(int page, String nextFetch, String ifUnchanged, String ifChanged) {
    MapWritable metadata = crawlDb[page].getMetaData();
    metadata.put(new Text("plan.nextFetch"), new Text(nextFetch));
    metadata.put(new Text("plan.intervalIfUnchanged"), new Text(ifUnchanged));
    metadata.put(new Text("plan.intervalIfChanged"), new Text(ifChanged));
  }

  private static Text url(int page) {
    return new Text("http://page-" + page + ".example/");
  }

  /** With metadata of its own, as a job reads it; a clone would share them. */
  private static CrawlDatum copy(CrawlDatum datum) {
    CrawlDatum copy = new CrawlDatum();
    copy.set(datum);
    return copy;
  }

  @Override
  public boolean fetches(int page, long time) {
    generated[page] = copy(crawlDb[page]);
    return schedule.shouldFetch(url(page), generated[page], time * 1000);
  }

  @Override
  public void fetched(int page, long time, int content) throws Exception {
    CrawlDatum fetch = generated[page] == null ? copy(crawlDb[page]) : generated[page];
    fetch.setStatus(CrawlDatum.STATUS_FETCH_SUCCESS);
    fetch.setFetchTime(time * 1000);
    CrawlDatum signature = new CrawlDatum(CrawlDatum.STATUS_SIGNATURE, 0);
    signature.setSignature(new byte[] {(byte) (content >> 16), (byte) (content >> 8), (byte) content});
    ((CrawlDbReducer) reducer).reduce(url(page), List.of(crawlDb[page], fetch, signature), context);
    crawlDb[page] = written;
  }
}

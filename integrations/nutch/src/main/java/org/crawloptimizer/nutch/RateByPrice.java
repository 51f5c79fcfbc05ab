package org.crawloptimizer.nutch;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * Pages → fetches a second by the price, in buckets of ln(price). A fetch of a page at an age is worth V(age), so that
 * at a price between V(t) and V(t') the page is fetched once in t to t'. Each page adds the steps of 1/t to the buckets
 * in which they lie; what the buckets above a price hold together is the rate at this price.
 */
final class RateByPrice {
  /** Buckets to a factor of e. */
  static final int BUCKETS = 100;
  /** What is fetched at any price, since no interval is longer than the longest. */
  static final int AT_ANY_PRICE = Integer.MAX_VALUE;
  /** Two ages at which a page is looked at are so many times apart; between them its rate is a line in ln(price). */
  private static final double AGE_STEP = 1.1;

  private RateByPrice() {}

  /** Pages that fail or are gone keep Nutch's rules; new ones have no age yet. */
  public static final class OfPages extends Mapper<Text, CrawlDatum, IntWritable, DoubleWritable> {
    private final Map<Integer, Double> rates = new HashMap<>();
    private PriceFetchSchedule schedule;

    @Override
    protected void setup(Context context) {
      schedule = new PriceFetchSchedule();
      schedule.setConf(context.getConfiguration());
    }

    @Override
    protected void map(Text url, CrawlDatum datum, Context context) {
      byte status = datum.getStatus();
      if (status != CrawlDatum.STATUS_DB_FETCHED && status != CrawlDatum.STATUS_DB_NOTMODIFIED) return;
      double age = schedule.longestInterval();
      rates.merge(AT_ANY_PRICE, 1 / age, Double::sum);
      double above = BUCKETS * Math.log(schedule.worth(datum, age));
      while (age > 1) {
        double younger = Math.max(1, age / AGE_STEP);
        double below = BUCKETS * Math.log(schedule.worth(datum, younger));
        spread(below, above, 1 / younger - 1 / age);
        age = younger;
        above = below;
      }
    }

    /** Adds a rate to the buckets from below to above, to each what of it lies there. */
    private void spread(double below, double above, double rate) {
      int first = (int) Math.floor(below);
      int last = (int) Math.floor(above);
      for (int bucket = first; bucket <= last; bucket++) {
        double part = first == last ? 1 : (Math.min(above, bucket + 1) - Math.max(below, bucket)) / (above - below);
        rates.merge(bucket, rate * part, Double::sum);
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      for (Map.Entry<Integer, Double> each : rates.entrySet()) {
        context.write(new IntWritable(each.getKey()), new DoubleWritable(each.getValue()));
      }
    }
  }

  /** Adds up what several mappers found. */
  public static final class Sum extends Reducer<IntWritable, DoubleWritable, IntWritable, DoubleWritable> {
    @Override
    protected void reduce(IntWritable bucket, Iterable<DoubleWritable> rates, Context context)
        throws IOException, InterruptedException {
      double sum = 0;
      for (DoubleWritable each : rates) sum += each.get();
      context.write(bucket, new DoubleWritable(sum));
    }
  }
}

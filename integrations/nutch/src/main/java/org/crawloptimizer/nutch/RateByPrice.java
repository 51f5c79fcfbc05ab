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
 * Fetches a second of all pages as a function of the price, as a histogram over ln(price). A fetch at an age t is worth
 * V(t), so at the price V(t) the page has the rate 1/t. Each page adds the decreases of 1/t to the buckets of its prices;
 * the sum of the buckets above a price is the rate at that price.
 */
final class RateByPrice {
  /** Buckets to a factor of e. */
  static final int BUCKETS = 100;
  /** Key of the rate at any price: no interval exceeds the longest one. */
  static final int AT_ANY_PRICE = Integer.MAX_VALUE;
  /** Ratio of successive ages at which V is computed; between two of them the rate is linear in ln(price). */
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

    /** Spreads a rate evenly over the buckets between two values of ln(price). */
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

  /** Adds the histograms of several mappers. */
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

package org.crawloptimizer.nutch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.NutchConfiguration;

/**
 * The price at which the pages of a crawldb take so many fetches a day: {@code bin/nutch
 * org.crawloptimizer.nutch.Price crawl/crawldb 30000}. One MapReduce job reads the crawldb and changes nothing in it.
 * The price goes into the file that {@code crawl.price.file} names, where {@link PriceFetchSchedule} finds it.
 */
public final class Price extends Configured implements Tool {
  static final String FILE = "crawl.price.file";

  @Override
  public int run(String[] arguments) throws Exception {
    String file = getConf().get(FILE);
    if (arguments.length != 2 || file == null) {
      System.err.println("usage: Price <crawldb> <fetches a day>, with crawl.price.file in nutch-site.xml");
      return 2;
    }
    double perDay = Double.parseDouble(arguments[1]);
    if (!(perDay > 0)) throw new IllegalArgumentException("fetches a day must be above 0; got " + arguments[1]);
    Path found = new Path(file + ".job");
    TreeMap<Integer, Double> rates = ratesOf(new Path(arguments[0], CrawlDb.CURRENT_NAME), found);
    double price = priceAt(perDay / 86_400, rates);
    write(price, new Path(file));
    System.err.println("price " + price + ": " + file);
    return 0;
  }

  private TreeMap<Integer, Double> ratesOf(Path crawlDb, Path found) throws Exception {
    FileSystem files = found.getFileSystem(getConf());
    files.delete(found, true);
    Job job = Job.getInstance(getConf(), "price of a fetch: " + crawlDb);
    job.setJarByClass(Price.class);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    FileInputFormat.addInputPath(job, crawlDb);
    job.setMapperClass(RateByPrice.OfPages.class);
    job.setCombinerClass(RateByPrice.Sum.class);
    job.setReducerClass(RateByPrice.Sum.class);
    job.setNumReduceTasks(1);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(IntWritable.class);
    job.setOutputValueClass(DoubleWritable.class);
    FileOutputFormat.setOutputPath(job, found);
    if (!job.waitForCompletion(false)) throw new IOException("the job failed: " + job.getStatus().getFailureInfo());
    TreeMap<Integer, Double> rates = new TreeMap<>();
    for (FileStatus part : files.globStatus(new Path(found, "part-*"))) {
      IntWritable bucket = new IntWritable();
      DoubleWritable rate = new DoubleWritable();
      SequenceFile.Reader.Option path = SequenceFile.Reader.file(part.getPath());
      try (SequenceFile.Reader reader = new SequenceFile.Reader(getConf(), path)) {
        while (reader.next(bucket, rate)) rates.put(bucket.get(), rate.get());
      }
    }
    files.delete(found, true);
    return rates;
  }

  /** @param wanted fetches a second */
  static double priceAt(double wanted, TreeMap<Integer, Double> rates) {
    Double rate = rates.remove(RateByPrice.AT_ANY_PRICE);
    if (rate == null) throw new IllegalStateException("the crawldb has no page that was fetched");
    if (rate >= wanted) {
      throw new IllegalStateException("db.fetch.interval.max alone takes " + 86_400 * rate + " fetches a day");
    }
    for (Map.Entry<Integer, Double> each : rates.descendingMap().entrySet()) {
      double share = (wanted - rate) / each.getValue();
      if (share <= 1) return Math.exp((each.getKey() + 1 - share) / RateByPrice.BUCKETS);
      rate += each.getValue();
    }
    throw new IllegalStateException("the pages take no more than " + 86_400 * rate + " fetches a day, one a second each");
  }

  /** Writes the price to a temporary file and renames it, so that readers see the old price or the new one. */
  private void write(double price, Path file) throws IOException {
    Path part = new Path(file + ".part");
    try (OutputStream out = part.getFileSystem(getConf()).create(part, true)) {
      out.write((price + "\n").getBytes(StandardCharsets.UTF_8));
    }
    FileContext.getFileContext(part.toUri(), getConf()).rename(part, file, Options.Rename.OVERWRITE);
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = NutchConfiguration.create();
    System.exit(ToolRunner.run(configuration, new Price(), arguments));
  }
}

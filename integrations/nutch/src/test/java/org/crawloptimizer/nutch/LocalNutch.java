package org.crawloptimizer.nutch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.CrawlDbReader;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.util.NutchConfiguration;

/**
 * Nutch's own jobs in one process, in a folder of their own. A round replaces the fetcher by a site with known versions,
 * at any time; a fetch runs Nutch's own, now.
 */
final class LocalNutch {
  private final Path folder;
  private final Configuration configuration = NutchConfiguration.create();
  private final org.apache.hadoop.fs.Path crawlDb;
  private final org.apache.hadoop.fs.Path segments;

  LocalNutch(Path folder) {
    this.folder = folder;
    crawlDb = new org.apache.hadoop.fs.Path(folder.resolve("crawldb").toString());
    segments = new org.apache.hadoop.fs.Path(folder.resolve("segments").toString());
    configuration.set("db.fetch.schedule.class", PriceFetchSchedule.class.getName());
    configuration.set("plugin.folders", "plugins");
    configuration.set("plugin.includes", "nutch-extensionpoints|http-for-tests");
    configuration.set("http.agent.name", "test");
    configuration.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    // Settings of nutch-default.xml, which is no part of the jar.
    configuration.setInt("db.fetch.interval.default", 30 * 86_400);
    configuration.setInt("db.fetch.interval.max", 90 * 86_400);
    configuration.setFloat("fetcher.server.delay", 0);
    // Hadoop asks a finished job once a second otherwise.
    configuration.setInt("mapreduce.client.completion.pollinterval", 10);
    configuration.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
  }

  Configuration configuration() {
    return configuration;
  }

  void inject(List<String> seeds) throws Exception {
    Path list = Files.createTempDirectory(folder, "seeds");
    Files.write(list.resolve("seeds.txt"), seeds);
    new Injector(configuration).inject(crawlDb, new org.apache.hadoop.fs.Path(list.toString()), false, true, false,
        false, false);
  }

  /** The segment whose pages are due at a moment; null where none is. */
  org.apache.hadoop.fs.Path generate(long seconds) throws Exception {
    org.apache.hadoop.fs.Path[] made = new Generator(configuration).generate(crawlDb, segments, 1, Long.MAX_VALUE,
        seconds * 1000, false, false, true, 1, null);
    return made == null ? null : made[0];
  }

  /** Fetches a segment by Nutch's own fetcher and parser, and updates the crawldb. */
  void fetch(org.apache.hadoop.fs.Path segment) throws Exception {
    new Fetcher(configuration).fetch(segment, 1);
    new ParseSegment(configuration).parse(segment);
    new CrawlDb(configuration).update(crawlDb, new org.apache.hadoop.fs.Path[] {segment}, false, false);
  }

  /** Fetches what is due at a moment; returns what was. */
  Set<String> fetch(long seconds) throws Exception {
    org.apache.hadoop.fs.Path segment = generate(seconds);
    if (segment == null) {
      return Set.of();
    }
    fetch(segment);
    return listOf(segment).keySet().stream().map(Text::toString).collect(Collectors.toSet());
  }

  private Map<Text, CrawlDatum> listOf(org.apache.hadoop.fs.Path segment) throws Exception {
    Map<Text, CrawlDatum> list = new TreeMap<>();
    org.apache.hadoop.fs.Path generated = new org.apache.hadoop.fs.Path(segment, CrawlDatum.GENERATE_DIR_NAME);
    for (FileStatus part : generated.getFileSystem(configuration).globStatus(
        new org.apache.hadoop.fs.Path(generated, "part-*"))) {
      Text url = new Text();
      CrawlDatum datum = new CrawlDatum();
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(configuration, SequenceFile.Reader.file(part.getPath()))) {
        while (reader.next(url, datum)) {
          list.put(new Text(url), (CrawlDatum) datum.clone());
        }
      }
    }
    return list;
  }

  /** Generates the fetch list of a moment, fetches it, updates the crawldb; returns what was fetched. */
  Set<String> round(long seconds, Map<String, LongUnaryOperator> versions) throws Exception {
    Set<String> fetched = new TreeSet<>();
    org.apache.hadoop.fs.Path made = generate(seconds);
    if (made == null) {
      return fetched;
    }
    try (MapFile.Writer fetches = writer(made, CrawlDatum.FETCH_DIR_NAME);
        MapFile.Writer signatures = writer(made, CrawlDatum.PARSE_DIR_NAME)) {
      for (Map.Entry<Text, CrawlDatum> entry : listOf(made).entrySet()) {
        CrawlDatum datum = entry.getValue();
        LongUnaryOperator version = versions.get(entry.getKey().toString());
        datum.setStatus(version == null ? CrawlDatum.STATUS_FETCH_RETRY : CrawlDatum.STATUS_FETCH_SUCCESS);
        datum.setFetchTime(seconds * 1000);
        fetches.append(entry.getKey(), datum);
        fetched.add(entry.getKey().toString());
        if (version != null) {
          CrawlDatum signature = new CrawlDatum(CrawlDatum.STATUS_SIGNATURE, 0);
          signature.setSignature(new byte[] {(byte) version.applyAsLong(seconds)});
          signatures.append(entry.getKey(), signature);
        }
      }
    }
    new CrawlDb(configuration).update(crawlDb, new org.apache.hadoop.fs.Path[] {made}, false, false);
    return fetched;
  }

  private MapFile.Writer writer(org.apache.hadoop.fs.Path segment, String name) throws Exception {
    return new MapFile.Writer(configuration, new org.apache.hadoop.fs.Path(segment, name + "/part-r-00000"),
        MapFile.Writer.keyClass(Text.class), SequenceFile.Writer.valueClass(CrawlDatum.class));
  }

  CrawlDatum page(String url) throws Exception {
    try (CrawlDbReader reader = new CrawlDbReader()) {
      reader.setConf(configuration);
      return reader.get(crawlDb.toString(), url, configuration);
    }
  }

  /** Hadoop may still be clearing its own files away. */
  static void delete(Path folder) {
    FileUtil.fullyDelete(folder.toFile());
  }
}

package org.crawloptimizer.nutch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.StringUtil;

/**
 * A crawldb → the log that {@code crawl-optimizer plan} reads, one fetch a line:
 * {@code bin/nutch org.crawloptimizer.nutch.ExportObservations crawl/crawldb crawl-log.ndjson}. A file, since Nutch's
 * own log may write to stdout; it is replaced when it is whole.
 *
 * <p>Pages under {@link PlanFetchSchedule} bring their last fetches; of others the crawldb knows the last one. A page that
 * is gone ends with a fetch of status 404; pages that redirect are left out, as Nutch fetches their targets.
 */
public final class ExportObservations extends Configured implements Tool {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public int run(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("usage: ExportObservations <crawldb> <log.ndjson>");
      return 2;
    }
    Path current = new Path(arguments[0], CrawlDb.CURRENT_NAME);
    java.nio.file.Path log = java.nio.file.Path.of(arguments[1]);
    java.nio.file.Path part = log.resolveSibling(log.getFileName() + ".part");
    try (PrintStream out = new PrintStream(part.toFile(), StandardCharsets.UTF_8)) {
      for (FileStatus each : current.getFileSystem(getConf()).globStatus(new Path(current, "part-*/data"))) {
        write(each.getPath(), out);
      }
      if (out.checkError()) return 1;
    }
    Files.move(part, log, StandardCopyOption.REPLACE_EXISTING);
    return 0;
  }

  private void write(Path part, PrintStream out) throws Exception {
    Text url = new Text();
    CrawlDatum datum = new CrawlDatum();
    try (SequenceFile.Reader reader = new SequenceFile.Reader(getConf(), SequenceFile.Reader.file(part))) {
      while (reader.next(url, datum)) {
        byte status = datum.getStatus();
        if (status == CrawlDatum.STATUS_DB_REDIR_TEMP || status == CrawlDatum.STATUS_DB_REDIR_PERM) continue;
        for (String fetch : FetchHistory.of(datum)) {
          String[] parts = fetch.split(":");
          ObjectNode line = JSON.createObjectNode().put("page", url.toString());
          line.put("time", Long.parseLong(parts[0])).put("signature", parts[1]);
          if (parts.length > 2) line.put("matters", Double.parseDouble(parts[2]));
          out.println(line);
        }
        boolean gone = status == CrawlDatum.STATUS_DB_GONE;
        if (gone || (FetchHistory.of(datum).isEmpty() && status != CrawlDatum.STATUS_DB_UNFETCHED)) {
          out.println(lastFetch(url, datum));
        }
      }
    }
  }

  private static ObjectNode lastFetch(Text url, CrawlDatum datum) {
    ObjectNode line = JSON.createObjectNode().put("page", url.toString());
    boolean gone = datum.getStatus() == CrawlDatum.STATUS_DB_GONE;
    line.put("time", datum.getFetchTime() / 1000 - datum.getFetchInterval());
    line.put("status", gone ? 404 : 200);
    if (!gone && datum.getSignature() != null) {
      line.put("signature", StringUtil.toHexString(datum.getSignature()));
    }
    return line;
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = NutchConfiguration.create();
    System.exit(ToolRunner.run(configuration, new ExportObservations(), arguments));
  }
}

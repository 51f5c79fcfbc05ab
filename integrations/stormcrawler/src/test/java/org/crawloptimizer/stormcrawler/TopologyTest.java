package org.crawloptimizer.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.flux.FluxBuilder;
import org.apache.storm.flux.model.ExecutionContext;
import org.apache.storm.flux.model.TopologyDef;
import org.apache.storm.flux.parser.FluxParser;
import org.crawloptimizer.price.CrawlPrice;
import org.crawloptimizer.price.PageBelief;
import org.junit.jupiter.api.Test;

/**
 * The topology of the folder topology, in Storm's LocalCluster, on a site of its own. URLFrontier's spout and status are
 * StormCrawler's in memory here.
 */
class TopologyTest {
  private static final String NAME = Metadata.class.getPackageName();

  /** A file of the topology, for the StormCrawler that is tested. */
  private static String shipped(String file) throws Exception {
    return Files.readString(Path.of("topology", file))
        .replace("org.apache.stormcrawler", NAME);
  }

  private static HttpServer site() throws Exception {
    Map<String, Integer> fetches = new ConcurrentHashMap<>();
    HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext("/", exchange -> {
      String path = exchange.getRequestURI().getPath();
      int fetch = fetches.merge(path, 1, Integer::sum);
      byte[] body = ("<p>version " + (path.equals("/changing") ? fetch : 1)).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/html");
      exchange.sendResponseHeaders(path.equals("/robots.txt") ? 404 : 200, body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    });
    site.start();
    return site;
  }

  private static List<RecordingStatusUpdater.Stored> fetchesOf(String path) {
    return RecordingStatusUpdater.STORED.stream().filter(each -> each.url.endsWith(path)).collect(Collectors.toList());
  }

  /** Starts the topology on some pages, with these settings beside those of the folder. */
  static LocalCluster.LocalTopology submitted(LocalCluster cluster, String name, String more, List<String> pages)
      throws Exception {
    Path folder = Files.createTempDirectory("topology-");
    Files.writeString(Path.of(TopologyTest.class.getResource("/").toURI()).resolve("parsefilters.json"), shipped("parsefilters.json"));
    Path settings = folder.resolve("crawler-conf.yaml");
    Files.writeString(settings, shipped("crawler-conf.yaml").replace("604800", "2").replace("30000", "86400")
        + "  fetcher.server.delay: 0.1\n  topology.workers: 1\n" + more);
    Path flux = folder.resolve("crawler.flux");
    Files.writeString(flux, shipped("crawler.flux")
        .replace("crawler-conf.yaml", settings.toString())
        .replace(NAME + ".urlfrontier.StatusUpdaterBolt", RecordingStatusUpdater.class.getName())
        .replace("\"" + NAME + ".urlfrontier.Spout\"", "\"" + NAME + ".spout.MemorySpout\"\n    constructorArgs:\n      - [\""
            + String.join("\", \"", pages) + "\"]"));
    TopologyDef definition = FluxParser.parseFile(flux.toString(), false, true, null, false);
    Config configuration = FluxBuilder.buildConfig(definition);
    ExecutionContext context = new ExecutionContext(definition, configuration);
    return cluster.submitTopology(name, configuration, FluxBuilder.buildTopology(context));
  }

  @Test
  void theTopologyComesBackByThePrice() throws Exception {
    HttpServer site = site();
    String base = "http://127.0.0.1:" + site.getAddress().getPort();
    try (LocalCluster cluster = new LocalCluster();
        LocalCluster.LocalTopology topology =
            submitted(cluster, "crawler", "", List.of(base + "/changing", base + "/still"))) {
      long end = System.currentTimeMillis() + 150_000;
      while (System.currentTimeMillis() < end && (fetchesOf("/changing").size() < 2 || fetchesOf("/still").size() < 3)) {
        Thread.sleep(200);
      }
    } finally {
      site.stop(0);
    }
    List<RecordingStatusUpdater.Stored> still = fetchesOf("/still");
    assertTrue(still.size() > 2, still.size() + " fetches of a page");
    for (RecordingStatusUpdater.Stored each : still) assertEquals(12, each.belief.split(" ").length);
    // here the price moves within seconds
    double price = Double.parseDouble(still.get(0).paid);
    for (int n = 1; n < still.size(); n++) {
      assertTrue(still.get(n).at >= still.get(n - 1).next, "no fetch before its time");
      double before = due(still.get(n - 1).belief, price);
      assertTrue(due(still.get(n).belief, price) > before, "at a price the interval of a page that does not change grows");
    }
    RecordingStatusUpdater.Stored changed = fetchesOf("/changing").get(1);
    String unchanged = still.get(1).belief;
    assertTrue(rate(changed.belief) > rate(unchanged), "a change raises the rate that is believed");
  }

  private static double due(String belief, double price) {
    return CrawlPrice.dueAge(PageBelief.parse(belief), 1, price, CrawlPrice.Objective.FRESHNESS);
  }

  private static double rate(String belief) {
    return PageBelief.parse(belief).meanRate();
  }
}

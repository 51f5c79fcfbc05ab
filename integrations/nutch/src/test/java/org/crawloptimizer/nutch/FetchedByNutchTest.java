package org.crawloptimizer.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.crawloptimizer.price.TextFingerprint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nutch's own inject, generate, Fetcher, ParseSegment and updatedb, on a site over HTTP. */
class FetchedByNutchTest {
  private static final long HOUR = 3600;
  private static final long START = System.currentTimeMillis() / 1000;

  private Path folder;
  private LocalNutch nutch;
  private HttpServer site;
  private String base;
  /** What /dies and /moves answer, and the version of /page. */
  private volatile int dies = 200;
  private volatile int moves = 200;
  private volatile int version;

  @BeforeEach
  void begin() throws Exception {
    folder = Files.createTempDirectory("nutch-");
    nutch = new LocalNutch(folder);
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext("/", exchange -> answer(exchange, 200, "version " + version));
    site.createContext("/dies", exchange -> answer(exchange, dies, "the same"));
    site.createContext("/moves", exchange -> answer(exchange, moves, "the same"));
    site.start();
    base = "http://127.0.0.1:" + site.getAddress().getPort();
  }

  @AfterEach
  void end() throws Exception {
    site.stop(0);
    LocalNutch.delete(folder);
  }

  private void answer(HttpExchange exchange, int status, String text) throws IOException {
    if (status == 301) exchange.getResponseHeaders().set("Location", base + "/newhome");
    byte[] body = text.getBytes();
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String seed(String path, long nextFetch, long interval) {
    return base + path + "\tplan.nextFetch=" + nextFetch + "\tplan.intervalIfUnchanged=" + interval
        + "\tplan.intervalIfChanged=" + interval;
  }

  private List<String> exported(String path) throws Exception {
    return nutch.export().lines().filter(line -> line.contains(path + "\"")).collect(Collectors.toList());
  }

  private static String said(CrawlDatum datum, String name) {
    return String.valueOf(datum.getMetaData().get(new Text(name)));
  }

  @Test
  void aRedirectIsNoCheckAndItsTargetBeginsAnew() throws Exception {
    nutch.inject(List.of(seed("/moves", START, HOUR)));
    nutch.fetch(START + HOUR);
    assertEquals(1, exported("/moves").size());
    moves = 301;
    assertEquals(Set.of(base + "/moves"), nutch.fetch(START + 3 * HOUR));
    assertEquals("db_redir_perm", CrawlDatum.getStatusName(nutch.page(base + "/moves").getStatus()));
    assertEquals(List.of(), exported("/moves"), "a page that redirects is left out");
    nutch.fetch(START + 5 * HOUR);
    CrawlDatum target = nutch.page(base + "/newhome");
    assertEquals("db_fetched", CrawlDatum.getStatusName(target.getStatus()));
    assertEquals("null", said(target, "plan.nextFetch"), "the plan is that of the page that redirects");
    assertEquals(1, exported("/newhome").size(), "fetched once");
    moves = 200;
    nutch.fetch(START + 7 * HOUR);
    assertEquals(2, exported("/moves").size(), "what was seen before and after it redirected");
  }

  @Test
  void aPageThatIsGoneEndsItsLogWithA404() throws Exception {
    nutch.inject(List.of(seed("/dies", START, HOUR)));
    nutch.fetch(START + HOUR);
    dies = 404;
    nutch.fetch(START + 3 * HOUR);
    assertEquals("db_gone", CrawlDatum.getStatusName(nutch.page(base + "/dies").getStatus()));
    List<String> log = exported("/dies");
    assertEquals(2, log.size());
    assertTrue(log.get(1).contains("\"status\":404"), log.get(1));
  }

  @Test
  void whatIsBelievedOfAPageIsNotBelievedOfThePageItRedirectsTo() throws Exception {
    nutch.configuration().set("db.fetch.schedule.class", PriceFetchSchedule.class.getName());
    nutch.configuration().setLong("crawl.mean.interval", HOUR);
    nutch.inject(List.of(base + "/page", base + "/moves"));
    nutch.fetch(START + HOUR);
    String unknown = said(nutch.page(base + "/page"), "price.belief");
    nutch.fetch(START + 3 * HOUR);
    moves = 301;
    nutch.fetch(START + 5 * HOUR);
    assertNotEquals(unknown, said(nutch.page(base + "/moves"), "price.belief"));
    nutch.fetch(START + 5 * HOUR);
    assertEquals(unknown, said(nutch.page(base + "/newhome"), "price.belief"));
  }

  @Test
  void aRedirectIsNoCheckByThePriceAndThePageWaitsForItsNextFetch() throws Exception {
    nutch.configuration().set("db.fetch.schedule.class", PriceFetchSchedule.class.getName());
    nutch.configuration().setLong("crawl.mean.interval", HOUR);
    nutch.inject(List.of(base + "/moves"));
    nutch.fetch(START + HOUR);
    String checked = said(nutch.page(base + "/moves"), "price.checked");
    moves = 301;
    assertEquals(Set.of(base + "/moves"), nutch.fetch(START + 3 * HOUR));
    CrawlDatum page = nutch.page(base + "/moves");
    assertEquals(checked, said(page, "price.checked"));
    long due = page.getFetchTime() / 1000;
    assertEquals(Set.of(base + "/newhome"), nutch.fetch(due - 1), "it is not due at once");
    assertTrue(nutch.fetch(due + 1).contains(base + "/moves"));
  }

  @Test
  void aPlanThatComesWhileASegmentIsUnderWayHolds() throws Exception {
    nutch.inject(List.of(seed("/page", START, HOUR)));
    org.apache.hadoop.fs.Path segment = nutch.generate(START + HOUR);
    nutch.inject(List.of(seed("/page", START + 50 * HOUR, 7 * HOUR)));
    nutch.fetch(segment);
    CrawlDatum page = nutch.page(base + "/page");
    assertEquals(String.valueOf(START + 50 * HOUR), said(page, "plan.nextFetch"));
    assertEquals(7 * HOUR, page.getFetchInterval());
    assertEquals(Set.of(), nutch.fetch(START + 49 * HOUR));
    assertEquals(Set.of(base + "/page"), nutch.fetch(START + 50 * HOUR));
  }

  @Test
  void segmentsThatOverlapLoseNoFetch() throws Exception {
    nutch.inject(List.of(seed("/page", START, HOUR)));
    nutch.fetch(START + HOUR);
    org.apache.hadoop.fs.Path first = nutch.generate(START + 3 * HOUR);
    org.apache.hadoop.fs.Path second = nutch.generate(START + 3 * HOUR + 1);
    version++;
    nutch.fetch(second);
    nutch.fetch(first);
    List<String> log = exported("/page");
    assertEquals(3, log.size());
    assertTrue(log.get(0).contains("\"signature\":\"0\"") && log.get(2).contains("\"signature\":\"1\""), log.get(2));
  }

  private static String words(int from, int to) {
    return IntStream.range(from, to).mapToObj(k -> "word" + k).collect(Collectors.joining(" "));
  }

  @Test
  void aChangeHasItsShareOfTheTextUnderFingerprints() throws Exception {
    nutch.configuration().set("db.signature.class", FingerprintSignature.class.getName());
    String[] texts = {words(0, 300), words(1000, 1060) + " " + words(60, 300), words(2000, 2300)};
    site.createContext("/words", exchange -> answer(exchange, 200, texts[version]));
    nutch.inject(List.of(seed("/words", START, HOUR)));
    List<String> matters = new ArrayList<>();
    for (int fetch = 0; fetch < 4; fetch++) {
      version = fetch == 0 ? 0 : fetch < 3 ? 1 : 2;
      assertEquals(Set.of(base + "/words"), nutch.fetch(START + (2 * fetch + 1) * HOUR));
      List<String> log = exported("/words");
      assertEquals(fetch + 1, log.size());
      matters.add(log.get(fetch).replaceAll(".*\"matters\":([.0-9]+).*|.*", "$1"));
    }
    double first = TextFingerprint.changedShare(TextFingerprint.of(texts[0]), TextFingerprint.of(texts[1]));
    double second = TextFingerprint.changedShare(TextFingerprint.of(texts[1]), TextFingerprint.of(texts[2]));
    assertTrue(first > 0.1 && first < 0.5 && second > 0.6, first + " and " + second);
    assertEquals(List.of("", String.valueOf(first), "", String.valueOf(second)), matters);
    assertTrue(exported("/words").get(1).contains("\"matters\":" + first), "it stays in the crawldb");
  }
}

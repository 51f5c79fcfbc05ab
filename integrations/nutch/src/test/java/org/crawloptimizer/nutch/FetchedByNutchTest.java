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
import java.util.List;
import java.util.Set;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
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
  /** What /moves answers. */
  private volatile int moves = 200;

  @BeforeEach
  void begin() throws Exception {
    folder = Files.createTempDirectory("nutch-");
    nutch = new LocalNutch(folder);
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext("/", exchange -> answer(exchange, 200, "the same"));
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

  private static String said(CrawlDatum datum, String name) {
    return String.valueOf(datum.getMetaData().get(new Text(name)));
  }

  @Test
  void whatIsBelievedOfAPageIsNotBelievedOfThePageItRedirectsTo() throws Exception {
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
}

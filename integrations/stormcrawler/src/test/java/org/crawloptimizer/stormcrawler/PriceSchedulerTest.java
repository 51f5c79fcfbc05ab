package org.crawloptimizer.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.Scheduler;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.util.MetadataTransfer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Through StormCrawler's own factory, Metadata and MetadataTransfer. */
class PriceSchedulerTest {
  private static final Instant START = Instant.parse("2026-06-01T00:00:00Z");
  private static final Map<String, Object> CONFIGURATION = new HashMap<>(Map.of(
      "scheduler.class", PriceScheduler.class.getName(),
      "crawl.mean.interval", 7 * 86_400,
      "metadata.persist", List.of(PriceScheduler.BELIEF, PriceScheduler.CHECKED, PriceScheduler.SIGNATURE)));

  private final PriceScheduler scheduler = (PriceScheduler) Scheduler.getInstance(CONFIGURATION);
  private Instant due = START;

  /** One fetch; what persists of its metadata. */
  private Metadata fetch(Metadata stored, String signature, String status) {
    Metadata metadata = new Metadata();
    metadata.putAll(stored);
    if (signature != null) metadata.setValue("signature", signature);
    metadata.setValue("fetch.statusCode", status);
    scheduler.setClock(Clock.fixed(due, ZoneOffset.UTC));
    Optional<Date> next = scheduler.schedule(Status.FETCHED, metadata);
    due = next.get().toInstant();
    return MetadataTransfer.getInstance(CONFIGURATION).filter(metadata);
  }

  @Test
  void aNewPageIsFetchedAtTheMeanIntervalAndAPageThatNeverChangesLater() {
    Metadata stored = fetch(new Metadata(), "a", "200");
    assertEquals(7 * 86_400, Duration.between(START, due).getSeconds(), 1);
    for (int n = 0; n < 10; n++) stored = fetch(stored, n % 2 == 0 ? "a" : null, n % 2 == 0 ? "200" : "304");
    Instant before = due;
    fetch(stored, "a", "200");
    assertTrue(Duration.between(before, due).toDays() > 7);
  }

  @Test
  void aFetchWithoutASignatureIsNoCheck() {
    Metadata stored = new Metadata();
    for (int n = 0; n < 5; n++) stored = fetch(stored, null, "200");
    assertNull(stored.getFirstValue(PriceScheduler.CHECKED));
    assertEquals(START.plusSeconds(5 * 7 * 86_400).getEpochSecond(), due.getEpochSecond(), 10);
  }

  @Test
  void aChangedPageIsFetchedSoonerThanAnUnchangedOne() {
    Metadata first = fetch(new Metadata(), "a", "200");
    Instant second = due;
    fetch(first, "a", "200");
    Duration unchanged = Duration.between(second, due);
    due = second;
    fetch(first, "b", "200");
    assertTrue(Duration.between(second, due).compareTo(unchanged) < 0);
  }

  /** A page that changes by a Poisson process, as its site and the status index have it. */
  private static final class Page {
    final double rate;
    int version;
    double fetched;
    double due;
    Metadata stored = new Metadata();

    Page(double rate) {
      this.rate = rate;
    }
  }

  /** Crawls the pages from their next dates on; the fetches by week. */
  private static int[] crawl(List<Page> pages, double from, int weeks, Map<String, Object> more) {
    Map<String, Object> configuration = new HashMap<>(CONFIGURATION);
    configuration.putAll(more);
    configuration.put("metadata.persist", List.of(
        PriceScheduler.BELIEF, PriceScheduler.CHECKED, PriceScheduler.SIGNATURE, PriceScheduler.PAID));
    PriceScheduler scheduler = (PriceScheduler) Scheduler.getInstance(configuration);
    MetadataTransfer transfer = MetadataTransfer.getInstance(configuration);
    Random random = new Random(3);
    PriorityQueue<Page> queue = new PriorityQueue<>(Comparator.comparingDouble(page -> page.due));
    queue.addAll(pages);
    int[] fetches = new int[weeks];
    for (Page page = queue.poll(); page.due < from + weeks; page = queue.poll()) {
      fetches[(int) (page.due - from)]++;
      if (random.nextDouble() < -Math.expm1(-page.rate * (page.due - page.fetched))) page.version++;
      page.fetched = page.due;
      Metadata metadata = new Metadata();
      metadata.putAll(page.stored);
      metadata.setValue("signature", Integer.toString(page.version));
      metadata.setValue("fetch.statusCode", "200");
      Instant now = START.plusMillis(Math.round(page.due * WEEK));
      scheduler.setClock(Clock.fixed(now, ZoneOffset.UTC));
      Instant next = scheduler.schedule(Status.FETCHED, metadata).get().toInstant();
      page.due += Duration.between(now, next).toMillis() / WEEK;
      page.stored = transfer.filter(metadata);
      queue.add(page);
    }
    return fetches;
  }

  private static final double WEEK = 7 * 86_400_000.;

  private static List<Page> pages() {
    Random random = new Random(1);
    List<Page> pages = new ArrayList<>();
    for (int n = 0; n < 280; n++) {
      pages.add(new Page(0.3 * Math.exp(1.5 * random.nextGaussian())));
      pages.get(n).due = random.nextDouble();
    }
    return pages;
  }

  private static double mean(int[] fetches, int from, int to) {
    double sum = 0;
    for (int week = from; week < to; week++) sum += fetches[week];
    return sum / (to - from);
  }

  @Test
  void thePriceMovesUntilAsManyFetchesAreMadeAsAreWanted() {
    for (int perDay : new int[] {20, 80}) {
      Map<String, Object> more = new HashMap<>(Map.of("crawl.mean.interval", 280 * 86_400 / perDay));
      // the price that stays makes too few or too many
      double stays = mean(crawl(pages(), 0, 150, more), 75, 150) / (7 * perDay);
      assertTrue(Math.abs(stays - 1) > 0.05, perDay + ": " + stays);
      more.putAll(Map.of("crawl.per.day", perDay, "topology.name", "held " + perDay));
      int[] fetches = crawl(pages(), 0, 150, more);
      for (int from = 75; from < 150; from += 25) assertEquals(1, mean(fetches, from, from + 25) / (7 * perDay), 0.03);
    }
  }

  @Test
  void theNumberOfPagesIsFoundWhereTheMeanIntervalIsAnother() {
    for (int interval : new int[] {30_240, 3_024_000}) {
      Map<String, Object> more =
          Map.of("crawl.per.day", 80, "crawl.mean.interval", interval, "topology.name", "of " + interval);
      int[] fetches = crawl(pages(), 0, 150, more);
      for (int from = 75; from < 150; from += 25) assertEquals(1, mean(fetches, from, from + 25) / 560, 0.03, interval + " s");
    }
  }

  @Test
  void aWorkerThatStartsAgainTakesThePriceFromThePages() {
    List<Page> pages = pages();
    Map<String, Object> wanted = Map.of("crawl.per.day", 80, "crawl.mean.interval", 302_400);
    Map<String, Object> named = new HashMap<>(wanted);
    named.put("topology.name", "before");
    crawl(pages, 0, 60, named);
    named.put("topology.name", "after");
    assertEquals(1, mean(crawl(pages, 60, 4, named), 0, 4) / 560, 0.06);
    for (Page page : pages) page.stored.remove(PriceScheduler.PAID);
    named.put("topology.name", "lost");
    assertTrue(Math.abs(mean(crawl(pages, 64, 4, named), 0, 4) / 560 - 1) > 0.06);
  }

  @Test
  void eachWorkerMakesItsShareOfTheFetches() {
    Map<String, Object> more = Map.of("crawl.per.day", 80, "crawl.mean.interval", 604_800, "topology.workers", 2, "topology.name", "two");
    assertEquals(1, mean(crawl(pages(), 0, 60, more), 30, 60) / 280, 0.03);
  }
}

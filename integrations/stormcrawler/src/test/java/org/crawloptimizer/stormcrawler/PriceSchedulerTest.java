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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Date;
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
}

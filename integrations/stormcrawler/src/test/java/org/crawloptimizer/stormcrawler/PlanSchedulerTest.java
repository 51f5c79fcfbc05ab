package org.crawloptimizer.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.parse.ParseResult;
import com.digitalpebble.stormcrawler.persistence.AdaptiveScheduler;
import com.digitalpebble.stormcrawler.persistence.Scheduler;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.util.MetadataTransfer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crawloptimizer.price.TextFingerprint;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class PlanSchedulerTest {
  private static final Instant START = Instant.parse("2026-06-01T00:00:00Z");
  private static final String URL = "https://site.example/page";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Map<String, Object> configuration(Class<? extends Scheduler> scheduler) {
    Map<String, Object> configuration = new HashMap<>();
    configuration.put("scheduler.class", scheduler.getName());
    configuration.put("metadata.persist", List.of(PlanScheduler.IF_UNCHANGED, PlanScheduler.IF_CHANGED,
        PlanScheduler.FETCHES, "signature", "signatureOld", "fetch.statusCode", "fetchInterval"));
    return configuration;
  }

  /**
   * One fetch, as the topology passes its metadata: the parse filter copies the signature, the index keeps what
   * persists.
   */
  private static Metadata fetch(PlanScheduler scheduler, Metadata stored, Instant time, String signature,
      List<Optional<Date>> next) {
    Metadata metadata = new Metadata();
    metadata.putAll(stored);
    if (metadata.getFirstValue("signature") != null) {
      metadata.setValue("signatureOld", metadata.getFirstValue("signature"));
    }
    metadata.setValue("signature", signature);
    metadata.setValue("fetch.statusCode", "200");
    scheduler.setClock(Clock.fixed(time, ZoneOffset.UTC));
    next.add(scheduler.schedule(Status.FETCHED, metadata));
    return MetadataTransfer.getInstance(configuration(PlanScheduler.class)).filter(metadata);
  }

  @Test
  void theLoopFromLogToPlanToCrawlToLog() throws Exception {
    PlanScheduler scheduler = (PlanScheduler) Scheduler.getInstance(configuration(PlanScheduler.class));
    Metadata stored = new Metadata();
    stored.setValue(PlanScheduler.IF_UNCHANGED, "7200");
    stored.setValue(PlanScheduler.IF_CHANGED, "3600.5");
    List<Optional<Date>> next = new ArrayList<>();
    stored = fetch(scheduler, stored, START, "a", next);
    stored = fetch(scheduler, stored, START.plusSeconds(7200), "b", next);
    stored = fetch(scheduler, stored, START.plusSeconds(10_800), "b", next);
    assertEquals(START.plusSeconds(7200), next.get(0).get().toInstant(), "nothing to compare with: unchanged");
    assertEquals(START.plusSeconds(7200).plusMillis(3_600_500), next.get(1).get().toInstant(), "changed");
    assertEquals(START.plusSeconds(18_000), next.get(2).get().toInstant(), "unchanged");

    // The status index, exported, is the log of the next plan.
    JsonNode page = planOf(List.of(exported(URL, stored, next.get(2))), 3).path(0);
    assertEquals(URL, page.path("id").asText());

    stored.setValue(PlanScheduler.IF_UNCHANGED, page.path("intervalIfUnchanged").asText());
    stored.setValue(PlanScheduler.IF_CHANGED, page.path("intervalIfChanged").asText());
    Instant time = START.plusSeconds(18_000);
    fetch(scheduler, stored, time, "c", next);
    long milliseconds = Duration.between(time, next.get(3).get().toInstant()).toMillis();
    assertEquals(1000 * page.path("intervalIfChanged").asDouble(), milliseconds, 1);
  }

  @Test
  void pageTenThousandAndOneIsPlannedToo() throws Exception {
    PlanScheduler scheduler = (PlanScheduler) Scheduler.getInstance(configuration(PlanScheduler.class));
    int pages = 10_001;
    List<ObjectNode> export = new ArrayList<>();
    for (int k = 1; k <= pages; k++) {
      List<Optional<Date>> next = new ArrayList<>();
      Metadata stored = new Metadata();
      stored.setValue(PlanScheduler.IF_UNCHANGED, "7200");
      stored.setValue(PlanScheduler.IF_CHANGED, "3600");
      stored = fetch(scheduler, stored, START, "a", next);
      // the last pages of the export are those that change
      stored = fetch(scheduler, stored, START.plusSeconds(7200), k > 9000 ? "b" : "a", next);
      export.add(exported(URL + k, stored, next.get(1)));
    }
    JsonNode planned = planOf(export, pages);
    assertEquals(pages, planned.size());
    JsonNode last = planned.path(pages - 1);
    assertEquals(URL + pages, last.path("id").asText());
    assertTrue(last.path("crawls").asInt() > 0, last.toString());
    assertTrue(last.path("intervalIfChanged").asDouble() < planned.path(0).path("intervalIfUnchanged").asDouble());
  }

  /** A page of the status index, as an export has it. */
  private static ObjectNode exported(String url, Metadata stored, Optional<Date> next) {
    ObjectNode document = JSON.createObjectNode().put("url", url).put("status", "FETCHED");
    document.put("nextFetchDate", next.get().toInstant().toString());
    ObjectNode metadata = document.putObject("metadata");
    for (String key : stored.keySet()) {
      metadata.set(key.replace(".", "%2E"), JSON.valueToTree(stored.getValues(key)));
    }
    return document;
  }

  /** The pages of the plan that the command makes of an export. */
  private static JsonNode planOf(List<ObjectNode> export, int crawls) throws Exception {
    Path log = Files.createTempFile("status", ".ndjson");
    Files.write(log, export.stream().map(ObjectNode::toString).collect(Collectors.toList()));
    Process process = start(crawlOptimizer("plan", log.toString(), "--crawls", Integer.toString(crawls), "--interval", "6h",
        "--now", "2026-06-01T04:00:00Z", "--json"));
    JsonNode pages = JSON.readTree(process.getInputStream()).path("solution").path("pages");
    assertEquals(0, process.waitFor());
    Files.delete(log);
    return pages;
  }

  /** Without the command the test is left out, so that the jar can be built. */
  private static Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException missing) {
      throw new TestAbortedException("there is no " + command.get(0), missing);
    }
  }

  private static List<String> crawlOptimizer(String... words) {
    List<String> command = new ArrayList<>(List.of(System.getProperty("crawl.optimizer").split(" ")));
    command.addAll(List.of(words));
    return command;
  }

  private static String words(int from, int to) {
    return IntStream.range(from, to).mapToObj(k -> "word" + k).collect(Collectors.joining(" "));
  }

  @Test
  void aChangeOfTheFingerprintIsNotedWithItsShareOfTheText() {
    PlanScheduler scheduler = (PlanScheduler) Scheduler.getInstance(configuration(PlanScheduler.class));
    FingerprintParseFilter filter = new FingerprintParseFilter();
    filter.configure(Map.of(), JSON.createObjectNode().put("keyNameCopy", "signatureOld"));
    String[] texts = {words(0, 300), words(1000, 1060) + " " + words(60, 300) + " Älter_als_42 ﬁn"};
    Metadata metadata = new Metadata();
    for (int k = 0; k < 3; k++) {
      ParseResult parse = new ParseResult();
      parse.get(URL).setText(texts[Math.min(k, 1)]);
      parse.get(URL).setMetadata(metadata);
      filter.filter(URL, new byte[0], null, parse);
      metadata.setValue("fetch.statusCode", "200");
      scheduler.setClock(Clock.fixed(START.plusSeconds(k), ZoneOffset.UTC));
      scheduler.schedule(Status.FETCHED, metadata);
    }
    // the fingerprints and the share are those of Crawlee's log
    assertEquals("00fc6c77703719e9", metadata.getFirstValue("signature"));
    assertEquals("60af6a76fc3118fb", TextFingerprint.of(texts[0]));
    long at = START.getEpochSecond();
    assertEquals(List.of(at + ":0", at + 1 + ":1:0.3284", at + 2 + ":1"),
        List.of(metadata.getValues(PlanScheduler.FETCHES)));
  }

  @Test
  void neverIsNeverAlsoAsASpoutHandsItOn() {
    PlanScheduler scheduler = (PlanScheduler) Scheduler.getInstance(configuration(PlanScheduler.class));
    List<Optional<Date>> next = new ArrayList<>();
    Metadata empty = new Metadata();
    empty.setValue(PlanScheduler.IF_UNCHANGED, "");
    fetch(scheduler, empty, START, "a", next);
    Metadata fromFrontier = new Metadata();
    // URLFrontier's spout adds value by value, which drops an empty one
    fromFrontier.addValue(PlanScheduler.IF_UNCHANGED, "never");
    fetch(scheduler, fromFrontier, START, "a", next);
    assertEquals(List.of(Optional.empty(), Optional.empty()), next);
  }

  @Test
  void aFetchWithoutASignatureIsNotNotedAndA304Is() {
    PlanScheduler scheduler = (PlanScheduler) Scheduler.getInstance(configuration(PlanScheduler.class));
    Metadata metadata = new Metadata();
    metadata.setValue(PlanScheduler.IF_UNCHANGED, "7200");
    metadata.setValue(PlanScheduler.IF_CHANGED, "3600");
    metadata.setValue("fetch.statusCode", "200");
    scheduler.schedule(Status.FETCHED, metadata);
    assertFalse(metadata.containsKey(PlanScheduler.FETCHES), "without MD5SignatureParseFilter");
    metadata.setValue("fetch.statusCode", "304");
    scheduler.schedule(Status.FETCHED, metadata);
    assertEquals(1, metadata.getValues(PlanScheduler.FETCHES).length);
  }

  @Test
  void pagesWithoutAPlanAndFailuresAreScheduledAsByAdaptiveScheduler() {
    Scheduler plan = Scheduler.getInstance(configuration(PlanScheduler.class));
    Scheduler adaptive = Scheduler.getInstance(configuration(AdaptiveScheduler.class));
    for (Status status : new Status[] {Status.FETCHED, Status.FETCH_ERROR, Status.ERROR, Status.REDIRECTION}) {
      Metadata ours = new Metadata();
      ours.setValue("signature", "b");
      ours.setValue("signatureOld", "a");
      ours.setValue("fetch.statusCode", "200");
      ours.setValue("fetchInterval", "500");
      Metadata theirs = new Metadata();
      theirs.putAll(ours);
      Optional<Date> next = plan.schedule(status, ours);
      Optional<Date> expected = adaptive.schedule(status, theirs);
      assertEquals(expected.isPresent(), next.isPresent());
      if (next.isPresent()) {
        // Both count from now on.
        assertTrue(Math.abs(next.get().getTime() - expected.get().getTime()) < 30_000, status.toString());
      }
      assertFalse(status != Status.FETCHED && ours.containsKey(PlanScheduler.FETCHES));
      ours.remove(PlanScheduler.FETCHES);
      assertEquals(theirs.getFirstValue("fetchInterval"), ours.getFirstValue("fetchInterval"));
      assertEquals(theirs.keySet(), ours.keySet());
    }
  }
}

package org.crawloptimizer.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.AdaptiveFetchSchedule;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.FetchSchedule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlanFetchScheduleTest {
  private static final long HOUR = 3600;
  private static final long START = System.currentTimeMillis() / 1000;
  private static final String FAST = "http://site.example/fast";
  private static final String SLOW = "http://site.example/slow";
  private static final String DOWN = "http://site.example/down";
  private static final ObjectMapper JSON = new ObjectMapper();

  private Path folder;
  private LocalNutch nutch;

  @BeforeEach
  void begin() throws Exception {
    folder = Files.createTempDirectory("nutch-");
    nutch = new LocalNutch(folder);
  }

  @AfterEach
  void end() throws Exception {
    LocalNutch.delete(folder);
  }

  private static String seed(String url, long nextFetch, long ifUnchanged, long ifChanged) {
    return url + "\tplan.nextFetch=" + nextFetch + "\tplan.intervalIfUnchanged=" + ifUnchanged
        + "\tplan.intervalIfChanged=" + ifChanged;
  }

  @Test
  void theLoopFromLogToPlanToCrawlToLog() throws Exception {
    Map<String, LongUnaryOperator> site =
        Map.of(FAST, time -> (time - START) / HOUR, SLOW, time -> 1L);
    // A first plan by hand: every page now, and again after an hour whatever it shows.
    nutch.inject(List.of(seed(FAST, START, HOUR, HOUR), seed(SLOW, START, HOUR, HOUR)));
    for (int hour = 0; hour < 3; hour++) {
      assertEquals(Set.of(FAST, SLOW), nutch.round(START + hour * HOUR, site), "hour " + hour);
    }
    assertEquals(Set.of(), nutch.round(START + 3 * HOUR - 1, site), "nothing is due");

    String log = nutch.export();
    assertEquals(6, log.lines().count());
    Files.writeString(folder.resolve("log.ndjson"), log);
    long now = START + 3 * HOUR;
    String answer = LocalNutch.crawlOptimizer(folder, "plan", folder.resolve("log.ndjson").toString(), "--crawls", "6",
        "--interval", "6h", "--now", String.valueOf(now), "--json");
    JsonNode plan = JSON.readTree(answer);
    ByteArrayOutputStream seeds = new ByteArrayOutputStream();
    PlanSeeds.write(plan, new PrintStream(seeds, true, StandardCharsets.UTF_8));
    nutch.inject(List.of(seeds.toString(StandardCharsets.UTF_8).split("\n")));

    JsonNode fast = null;
    for (JsonNode page : plan.path("solution").path("pages")) {
      fast = page.path("id").asText().equals(FAST) ? page : fast;
    }
    long due = (long) Math.ceil(fast.path("nextFetch").asDouble());
    assertFalse(nutch.round(due - 1, site).contains(FAST), "before the plan's time");
    assertTrue(nutch.round(due, site).contains(FAST), "at the plan's time");
    CrawlDatum datum = nutch.page(FAST);
    assertEquals("db_fetched", CrawlDatum.getStatusName(datum.getStatus()));
    long changed = Math.round(fast.path("intervalIfChanged").asDouble());
    assertEquals(due + changed, datum.getFetchTime() / 1000, "comes back by the interval of a changed page");
    assertEquals(4, nutch.export().lines().filter(line -> line.contains("/fast")).count());
  }

  @Test
  void aPlanTableIsFollowedRowByRow() throws Exception {
    Path rates = folder.resolve("rates.csv");
    Files.writeString(rates, "id,rate,lastCrawl\n" + FAST + ",.5," + START + "\n" + SLOW + ",.01," + START + "\n");
    Path table = folder.resolve("plan.ndjson");
    Path parquet = folder.resolve("plan.parquet");
    for (Path out : List.of(table, parquet)) {
      LocalNutch.crawlOptimizer(folder, "tables", "plan", rates.toString(), "--id", "id", "--rate", "rate", "--rate-unit",
          "hour", "--last-crawl", "lastCrawl", "--crawls", "1", "--per", "hour", "--out", out.toString());
    }
    List<String> seeds = seedsOf(table.toString(), null);
    assertEquals(Set.copyOf(seeds), Set.copyOf(seedsOf("jdbc:duckdb:", parquet.toString())));
    nutch.inject(seeds);
    JsonNode fast = null;
    try (MappingIterator<JsonNode> rows = JSON.readerFor(JsonNode.class).readValues(table.toFile())) {
      while (rows.hasNext()) {
        JsonNode row = rows.next();
        fast = row.path("id").asText().equals(FAST) ? row : fast;
      }
    }
    Map<String, LongUnaryOperator> site = Map.of(FAST, time -> (time - START) / HOUR, SLOW, time -> 1L);
    long due = (long) Math.ceil(fast.path("nextFetch").asDouble());
    assertEquals(START + HOUR * fast.path("interval").asDouble(), due, 1);
    assertEquals(Set.of(), nutch.round(due - 1, site), "before the plan's time");
    assertEquals(Set.of(FAST), nutch.round(due, site), "at the plan's time");
    assertEquals(due + Math.round(HOUR * fast.path("interval").asDouble()), nutch.page(FAST).getFetchTime() / 1000);
  }

  private static List<String> seedsOf(String source, String table) throws Exception {
    ByteArrayOutputStream seeds = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(seeds, true, StandardCharsets.UTF_8);
    PlanSeeds.writeTable(source, table, BigDecimal.valueOf(HOUR), out);
    return List.of(seeds.toString(StandardCharsets.UTF_8).split("\n"));
  }

  @Test
  void aFailureIsTriedAgainByNutchsRuleAndIsNoCheck() throws Exception {
    nutch.inject(List.of(seed(DOWN, START, HOUR, HOUR)));
    assertEquals(Set.of(DOWN), nutch.round(START, Map.of()));
    CrawlDatum datum = nutch.page(DOWN);
    assertEquals(1, datum.getRetriesSinceFetch());
    assertEquals(START + 24 * HOUR, datum.getFetchTime() / 1000);
    assertEquals("", nutch.export());
  }

  @Test
  void thePageThatIsGoneEndsItsLogWithA404() throws Exception {
    nutch.inject(List.of(seed(FAST, START, HOUR, HOUR)));
    nutch.round(START, Map.of(FAST, time -> 1L));
    nutch.configuration().setInt("db.fetch.retry.max", 0);
    nutch.round(START + HOUR, Map.of());
    assertEquals("db_gone", CrawlDatum.getStatusName(nutch.page(FAST).getStatus()));
    List<String> log = nutch.export().lines().collect(Collectors.toList());
    assertEquals(2, log.size());
    assertEquals("0", JSON.readTree(log.get(0)).path("signature").asText());
    assertEquals(404, JSON.readTree(log.get(1)).path("status").asInt());
    assertTrue(JSON.readTree(log.get(1)).path("time").asLong() >= START, log.get(1));
  }

  @Test
  void pagesWithoutAPlanAreScheduledAsByAdaptiveFetchSchedule() {
    FetchSchedule plan = new PlanFetchSchedule();
    plan.setConf(nutch.configuration());
    FetchSchedule adaptive = new AdaptiveFetchSchedule();
    adaptive.setConf(nutch.configuration());
    Text url = new Text(SLOW);
    for (int state : new int[] {FetchSchedule.STATUS_UNKNOWN, FetchSchedule.STATUS_MODIFIED,
        FetchSchedule.STATUS_NOTMODIFIED}) {
      CrawlDatum ours = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 86_400);
      CrawlDatum theirs = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 86_400);
      ours = plan.setFetchSchedule(url, ours, 0, 0, START * 1000, START * 1000 - 500_000, state);
      theirs = adaptive.setFetchSchedule(url, theirs, 0, 0, START * 1000, START * 1000 - 500_000, state);
      assertEquals(theirs.getFetchTime(), ours.getFetchTime());
      assertEquals(theirs.getFetchInterval(), ours.getFetchInterval());
      assertEquals(theirs.getModifiedTime(), ours.getModifiedTime());
    }
  }

  @Test
  void aPageThatThePlanLeavesOutWaitsForNutchsLongestTime() {
    PlanFetchSchedule schedule = new PlanFetchSchedule();
    schedule.setConf(nutch.configuration());
    CrawlDatum datum = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 86_400);
    for (String name : new String[] {PlannedPage.NEXT_FETCH, PlannedPage.IF_UNCHANGED, PlannedPage.IF_CHANGED}) {
      datum.getMetaData().put(new Text(name), new Text(""));
    }
    assertFalse(schedule.shouldFetch(new Text(SLOW), datum, (START + 365 * 24 * HOUR) * 1000));
    datum = schedule.setFetchSchedule(new Text(SLOW), datum, 0, 0, START * 1000, 0, FetchSchedule.STATUS_NOTMODIFIED);
    assertEquals(90 * 24 * HOUR, datum.getFetchInterval());
  }
}

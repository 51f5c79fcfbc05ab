package org.crawloptimizer.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.Scheduler;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PilotTest {
  private static final Instant START = Instant.parse("2026-06-01T00:00:00Z");
  private static final long DAY = 86_400;

  private static PlanScheduler scheduler(String seed) {
    Map<String, Object> configuration = new HashMap<>();
    configuration.put("scheduler.class", PlanScheduler.class.getName());
    if (seed != null) {
      configuration.put("plan.pilot.seed", seed);
      configuration.put("plan.pilot.period", DAY);
    }
    return (PlanScheduler) Scheduler.getInstance(configuration);
  }

  private static Metadata page(int number) {
    Metadata metadata = new Metadata();
    metadata.setValue("signature", "a");
    metadata.setValue("fetch.statusCode", "200");
    metadata.setValue(PlanScheduler.IF_UNCHANGED, "1000");
    metadata.setValue(PlanScheduler.IF_CHANGED, "500");
    metadata.setValue(Pilot.UNIT, "http://site.example/" + number);
    return metadata;
  }

  private static long seconds(PlanScheduler scheduler, Metadata metadata, Instant time) {
    scheduler.setClock(Clock.fixed(time, ZoneOffset.UTC));
    Optional<Date> next = scheduler.schedule(Status.FETCHED, metadata);
    return next.get().toInstant().getEpochSecond() - time.getEpochSecond();
  }

  @Test
  void theCoinFallsAsInEveryOtherLanguage() throws Exception {
    JsonNode tosses = new ObjectMapper().readTree(new File("../../test/fixtures/coin.json")).path("coins");
    assertTrue(tosses.size() > 100);
    for (JsonNode toss : tosses) {
      boolean plan =
          new Pilot(toss.path("seed").asText(), 1).coin(toss.path("unit").asText(), toss.path("period").asLong());
      assertEquals(toss.path("arm").asText().equals("plan"), plan, toss.toString());
    }
  }

  @Test
  void thePlansArmComesBackByThePlanAndTheOtherByStormCrawlersOwnRule() {
    PlanScheduler scheduler = scheduler("a pilot");
    Pilot pilot = new Pilot("a pilot", DAY);
    int plan = 0;
    for (int i = 0; i < 40; i++) {
      Instant time = START.plusSeconds(i * DAY / 2);
      boolean isPlan = pilot.isPlan(page(i), time);
      plan += isPlan ? 1 : 0;
      assertEquals(isPlan, seconds(scheduler, page(i), time) == 1000, "page " + i);
    }
    assertTrue(plan > 5 && plan < 35, "of the plan: " + plan);
  }

  @Test
  void withoutASeedEveryPageIsThePlans() {
    assertEquals(1000, seconds(scheduler(null), page(1), START));
    Metadata unnamed = page(2);
    unnamed.remove(Pilot.UNIT);
    assertEquals(1000, seconds(scheduler(null), unnamed, START));
  }

  @Test
  void aProbeComesBeforeALaterDateAndIsNotRepeated() {
    PlanScheduler scheduler = scheduler("a pilot");
    for (int i = 0; i < 10; i++) {
      Metadata metadata = page(i);
      metadata.setValue(Pilot.PROBE, START.plusSeconds(300).getEpochSecond() + ".5");
      assertTrue(seconds(scheduler, metadata, START) <= 300, "page " + i);
      long after = seconds(scheduler, metadata, START.plusSeconds(301));
      assertTrue(after >= 500, "once: " + after);
    }
  }
}

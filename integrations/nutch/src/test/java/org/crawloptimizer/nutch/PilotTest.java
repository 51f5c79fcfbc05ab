package org.crawloptimizer.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.AdaptiveFetchSchedule;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.util.NutchConfiguration;
import org.junit.jupiter.api.Test;

class PilotTest {
  private static final long DAY = 86_400_000L;
  private static final long START = 20_000 * DAY;

  private static Configuration configuration() {
    Configuration configuration = NutchConfiguration.create();
    configuration.set(Pilot.SEED, "a pilot");
    configuration.setLong(Pilot.PERIOD, 86_400);
    return configuration;
  }

  private static CrawlDatum planned() {
    CrawlDatum datum = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 86_400);
    datum.getMetaData().put(new Text(PlannedPage.NEXT_FETCH), new Text("0"));
    datum.getMetaData().put(new Text(PlannedPage.IF_UNCHANGED), new Text("1000"));
    datum.getMetaData().put(new Text(PlannedPage.IF_CHANGED), new Text("500"));
    return datum;
  }

  @Test
  void theCoinFallsAsInEveryOtherLanguage() throws Exception {
    JsonNode tosses = new ObjectMapper().readTree(new File("../../test/fixtures/coin.json")).path("coins");
    assertTrue(tosses.size() > 100);
    for (JsonNode toss : tosses) {
      Pilot pilot = new Pilot(toss.path("seed").asText(), 1, false);
      boolean plan = pilot.coin(toss.path("unit").asText(), toss.path("period").asLong());
      assertEquals(toss.path("arm").asText().equals("plan"), plan, toss.toString());
    }
  }

  @Test
  void pagesOfTheOtherArmAreScheduledByNutchsOwnRuleAsIfThereWereNoPlan() {
    Configuration configuration = configuration();
    PlanFetchSchedule schedule = new PlanFetchSchedule();
    schedule.setConf(configuration);
    AdaptiveFetchSchedule adaptive = new AdaptiveFetchSchedule();
    adaptive.setConf(configuration);
    Pilot pilot = Pilot.of(configuration);
    int plan = 0;
    for (int i = 0; i < 20; i++) {
      Text url = new Text("http://site.example/" + i);
      CrawlDatum ours = planned();
      CrawlDatum theirs = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 86_400);
      for (int day = 0; day < 8; day++) {
        long time = START + day * DAY;
        int state = (i + day) % 3 == 0 ? FetchSchedule.STATUS_MODIFIED : FetchSchedule.STATUS_NOTMODIFIED;
        ours = schedule.setFetchSchedule(url, ours, 0, 0, time, time, state);
        theirs = adaptive.setFetchSchedule(url, theirs, 0, 0, time, time, state);
        if (pilot.isPlan(url.toString(), time)) {
          plan++;
          assertEquals(state == FetchSchedule.STATUS_MODIFIED ? 500 : 1000, ours.getFetchInterval());
        } else {
          assertEquals(theirs.getFetchInterval(), ours.getFetchInterval());
          assertEquals(theirs.getFetchTime(), ours.getFetchTime());
        }
      }
    }
    assertTrue(plan > 40 && plan < 120, "fetches by the plan: " + plan);
  }

  @Test
  void aProbeIsMadeInBothArmsOnceAndWhenItIsDue() throws Exception {
    ByteArrayOutputStream seeds = new ByteArrayOutputStream();
    String probe = "{\"time\":" + (START / 1000 + 7200) + ".5,\"page\":\"http://site.example/1\",\"why\":\"probe\"}\n";
    String today = "{\"time\":1,\"page\":\"x\",\"why\":\"plan\"}\n" + probe
        + "{\"time\":null,\"page\":\"y\",\"why\":\"yours\"}\n";
    PilotSeeds.write(new BufferedReader(new StringReader(today)), new PrintStream(seeds, true, StandardCharsets.UTF_8));
    String seed = seeds.toString(StandardCharsets.UTF_8).trim();
    assertEquals("http://site.example/1\t" + Pilot.PROBE + "=" + (START / 1000 + 7200) + ".5", seed);

    PlanFetchSchedule schedule = new PlanFetchSchedule();
    schedule.setConf(configuration());
    for (int i = 0; i < 10; i++) {
      Text url = new Text("http://site.example/" + i);
      CrawlDatum datum = schedule.setFetchSchedule(url, new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 30 * 86_400), 0, 0,
          START, START, FetchSchedule.STATUS_NOTMODIFIED);
      datum.getMetaData().put(new Text(Pilot.PROBE), new Text(seed.substring(seed.indexOf('=') + 1)));
      long due = START + 7_200_500;
      assertFalse(schedule.shouldFetch(url, datum, due - 1), "before it is due");
      CrawlDatum generated = new CrawlDatum();
      generated.set(datum);
      assertTrue(schedule.shouldFetch(url, generated, due), "when it is due");
      datum = schedule.setFetchSchedule(url, datum, 0, 0, due, START, FetchSchedule.STATUS_NOTMODIFIED);
      assertFalse(schedule.shouldFetch(url, datum, due + 1000), "once");
    }
  }
}

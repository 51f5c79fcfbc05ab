package org.crawloptimizer.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Against the golden vectors that every language is held to. */
class TrialTest {
  private static JsonNode golden() throws Exception {
    return new ObjectMapper().readTree(Path.of("../../test/fixtures/coin.json").toFile());
  }

  @Test
  void everyCoinFallsAsRecorded() throws Exception {
    JsonNode coins = golden().get("coins");
    assertTrue(coins.size() > 200);
    for (JsonNode each : coins) {
      Trial.Arm arm = new Trial(each.get("seed").asText()).coin(each.get("unit").asText(), each.get("period").asLong());
      assertEquals(each.get("arm").asText(), arm.name().toLowerCase(Locale.ROOT), each.toString());
    }
  }

  @Test
  void everyProbeIsDueAsRecorded() throws Exception {
    for (JsonNode each : golden().get("probes")) {
      long cell = each.get("cell").asLong();
      Trial.Probe probe = new Trial(each.get("seed").asText()).probe(cell, 1);
      assertEquals(cell + each.get("time").asDouble(), probe.time());
      assertEquals(each.get("page").asDouble(), probe.place());
    }
  }
}

package org.crawloptimizer.price;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Against the golden vectors that every language is held to. */
class CrawlPriceTest {
  private static JsonNode golden(String part) throws Exception {
    return new ObjectMapper().readTree(Path.of("../../../test/fixtures/price.json").toFile()).get(part);
  }

  private static void near(double found, JsonNode given, double tolerance, JsonNode row) {
    double expected = given.isNull() ? Double.POSITIVE_INFINITY : given.asDouble();
    boolean isNear = found == expected || Math.abs(found - expected) <= tolerance * Math.abs(expected);
    assertTrue(isNear, () -> found + " for " + expected + " in " + row);
  }

  private static CrawlPrice.Objective objective(JsonNode row) {
    return CrawlPrice.Objective.valueOf(row.get("objective").asText().toUpperCase(Locale.ROOT));
  }

  private static double[] four(JsonNode list) {
    double[] four = new double[4];
    for (int k = 0; k < 4; k++) four[k] = list.get(k).asDouble();
    return four;
  }

  @Test
  void aPageOfKnownRateIsDueAsRecorded() throws Exception {
    assertTrue(golden("known").size() > 200);
    for (JsonNode row : golden("known")) {
      double rate = row.get("rate").asDouble();
      double weight = row.get("weight").asDouble();
      near(CrawlPrice.dueAge(rate, weight, row.get("price").asDouble(), objective(row)), row.get("age"), 1e-11, row);
    }
  }

  @Test
  void checksLeadToTheBeliefsRecorded() throws Exception {
    for (JsonNode row : golden("beliefs")) {
      JsonNode given = row.get("prior");
      var prior = new PageBelief.Prior(given.get("meanRate").asDouble(), given.get("memoryUnit").asDouble());
      PageBelief belief = PageBelief.of(prior);
      for (JsonNode check : row.get("checks")) {
        double age = check.has("changeAge") ? check.get("changeAge").asDouble() : Double.NaN;
        belief = belief.after(check.get("elapsed").asDouble(), check.get("changed").asBoolean(), age, prior);
      }
      for (int k = 0; k < 4; k++) {
        near(belief.shape()[k], row.get("belief").get("shape").get(k), 1e-9, row);
        near(belief.scale()[k], row.get("belief").get("scale").get(k), 1e-9, row);
      }
      near(belief.meanRate(), row.get("meanRate"), 1e-8, row);
      assertEquals(belief.meanRate(), PageBelief.parse(belief.toText()).meanRate(), 1e-5 * belief.meanRate());
    }
  }

  @Test
  void aPageOfBelievedRateIsDueAsRecorded() throws Exception {
    for (JsonNode row : golden("beliefs")) {
      JsonNode given = row.get("belief");
      var belief = new PageBelief(four(given.get("shape")), four(given.get("scale")), four(given.get("foretold")));
      for (JsonNode due : row.get("due")) {
        double weight = due.get("weight").asDouble();
        double age = CrawlPrice.dueAge(belief, weight, due.get("price").asDouble(), objective(due));
        near(age, due.get("age"), 1e-8, due);
        if (due.get("age").isNull()) continue;
        double worth = CrawlPrice.worthOfFetch(belief, weight, due.get("age").asDouble(), objective(due));
        near(worth, due.get("price"), 1e-8, due);
      }
    }
  }

  @Test
  void thePriceMovesAsRecorded() throws Exception {
    for (JsonNode row : golden("prices")) {
      double next =
          CrawlPrice.nextPrice(
              row.get("price").asDouble(),
              row.get("seen").asDouble(),
              row.get("wanted").asDouble(),
              row.get("pages").asDouble(),
              row.get("ahead").asDouble());
      near(next, row.get("next"), 1e-13, row);
    }
  }
}

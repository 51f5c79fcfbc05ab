package org.crawloptimizer.nutch;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;

/**
 * A plan ({@code crawl-optimizer plan --json}) → seeds whose metadata carry it, on stdout:
 * {@code bin/nutch org.crawloptimizer.nutch.PlanSeeds plan.json > seeds/plan.txt}, then
 * {@code bin/nutch inject crawl/crawldb seeds -update}.
 *
 * <p>So does a plan table ({@code crawl-optimizer tables plan --out plan.ndjson}), row by row: {@code PlanSeeds
 * plan.ndjson 86400 > seeds/plan.txt}, where the unit of its intervals has so many seconds.
 */
public final class PlanSeeds {
  private PlanSeeds() {}

  static void write(JsonNode answer, PrintStream out) {
    JsonNode pages = answer.path("solution").path("pages");
    if (!pages.isArray()) {
      throw new IllegalArgumentException("no plan with its pages as rows: its status is " + answer.path("status"));
    }
    for (JsonNode page : pages) {
      out.print(page.path("id").asText());
      field(out, PlannedPage.NEXT_FETCH, page.path("nextFetch"));
      field(out, PlannedPage.IF_UNCHANGED, page.path("intervalIfUnchanged"));
      field(out, PlannedPage.IF_CHANGED, page.path("intervalIfChanged"));
      out.println();
    }
  }

  /** One interval holds whatever a fetch sees; a page without a time for its next fetch is due at once. */
  static void writeTable(Iterator<JsonNode> rows, BigDecimal unit, PrintStream out) {
    while (rows.hasNext()) {
      JsonNode row = rows.next();
      if (!row.has("id") || !row.has("interval")) {
        throw new IllegalArgumentException("a plan table has columns id and interval, not " + row);
      }
      JsonNode interval = row.path("interval");
      JsonNode seconds = interval.isNumber() ? DecimalNode.valueOf(interval.decimalValue().multiply(unit)) : interval;
      boolean atOnce = interval.isNumber() && !row.path("nextFetch").isNumber();
      out.print(row.path("id").asText());
      field(out, PlannedPage.NEXT_FETCH, atOnce ? IntNode.valueOf(0) : row.path("nextFetch"));
      field(out, PlannedPage.IF_UNCHANGED, seconds);
      field(out, PlannedPage.IF_CHANGED, seconds);
      out.println();
    }
  }

  /** A null is an empty text: the injector keeps it, and it replaces what an earlier plan said. */
  private static void field(PrintStream out, String name, JsonNode value) {
    out.print("\t" + name + "=" + (value.isNumber() ? value.decimalValue().toPlainString() : ""));
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 1 || arguments.length > 2) {
      System.err.println("usage: PlanSeeds <plan.json> | PlanSeeds <plan.ndjson> <seconds in the unit of its intervals>");
      System.exit(2);
    }
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    ObjectMapper json = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    File plan = new File(arguments[0]);
    if (arguments.length == 1) {
      write(json.readTree(plan), out);
    } else {
      try (MappingIterator<JsonNode> rows = json.readerFor(JsonNode.class).readValues(plan)) {
        writeTable(rows, new BigDecimal(arguments[1]), out);
      }
    }
    out.flush();
  }
}

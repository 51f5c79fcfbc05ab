package org.crawloptimizer.nutch;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.crawloptimizer.tables.PlanTable;

/**
 * A plan ({@code crawl-optimizer plan --json}) → seeds whose metadata carry it, on stdout:
 * {@code bin/nutch org.crawloptimizer.nutch.PlanSeeds plan.json > seeds/plan.txt}, then
 * {@code bin/nutch inject crawl/crawldb seeds -update}.
 *
 * <p>So does a plan table ({@code crawl-optimizer tables plan --out plan.ndjson}), row by row: {@code PlanSeeds
 * plan.ndjson 86400 > seeds/plan.txt}, where the unit of its intervals has so many seconds. Tables in PostgreSQL and
 * Parquet come over JDBC: {@code PlanSeeds jdbc:postgresql://db/crawl 86400 public.plan}.
 */
public final class PlanSeeds {
  private PlanSeeds() {}

  static void write(JsonNode answer, PrintStream out) {
    JsonNode pages = answer.path("solution").path("pages");
    if (!pages.isArray()) {
      throw new IllegalArgumentException("no plan with its pages as rows: its status is " + answer.path("status"));
    }
    for (JsonNode page : pages) {
      seed(page, out);
    }
  }

  private static void seed(JsonNode page, PrintStream out) {
    out.print(page.path("id").asText());
    field(out, PlannedPage.NEXT_FETCH, page.path("nextFetch"));
    field(out, PlannedPage.IF_UNCHANGED, page.path("intervalIfUnchanged"));
    field(out, PlannedPage.IF_CHANGED, page.path("intervalIfChanged"));
    out.println();
  }

  /** Of a {@link PlanTable}: its words. */
  static void writeTable(String source, String table, BigDecimal unit, PrintStream out)
      throws IOException, SQLException {
    PlanTable.read(source, table, unit, page -> seed(page, out));
  }

  /** A null is an empty text: the injector keeps it, and it replaces what an earlier plan said. */
  private static void field(PrintStream out, String name, JsonNode value) {
    out.print("\t" + name + "=" + (value.isNumber() ? value.decimalValue().toPlainString() : ""));
  }

  public static void main(String[] arguments) throws IOException, SQLException {
    if (arguments.length < 1 || arguments.length > 3) {
      System.err.println("usage: PlanSeeds <plan.json> | PlanSeeds <plan.ndjson> <seconds in the unit of its intervals>"
          + " | PlanSeeds <jdbc:…> <seconds> <table>");
      System.exit(2);
    }
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    if (arguments.length == 1) {
      ObjectMapper json = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
      write(json.readTree(new File(arguments[0])), out);
    } else {
      String table = arguments.length == 3 ? arguments[2] : null;
      writeTable(arguments[0], table, new BigDecimal(arguments[1]), out);
    }
    out.flush();
  }
}

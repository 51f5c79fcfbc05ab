package org.crawloptimizer.nutch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A plan ({@code crawl-optimizer plan --json}) → seeds whose metadata carry it, on stdout:
 * {@code bin/nutch org.crawloptimizer.nutch.PlanSeeds plan.json > seeds/plan.txt}, then
 * {@code bin/nutch inject crawl/crawldb seeds -update}.
 */
public final class PlanSeeds {
  private PlanSeeds() {}

  static void write(JsonNode answer, PrintStream out) {
    JsonNode pages = answer.path("solution").path("pages");
    if (!pages.isArray()) {
      throw new IllegalArgumentException("no plan with its pages as rows: its status is " + answer.path("status"));
    }
    for (JsonNode page : pages) {
      out.print(page.path("id").asText() + "\tplan.page=" + page.path("id").asText());
      field(out, PlannedPage.NEXT_FETCH, page.path("nextFetch"));
      field(out, PlannedPage.IF_UNCHANGED, page.path("intervalIfUnchanged"));
      field(out, PlannedPage.IF_CHANGED, page.path("intervalIfChanged"));
      out.println();
    }
  }

  /** A null is an empty text: the injector keeps it, and it replaces what an earlier plan said. */
  private static void field(PrintStream out, String name, JsonNode value) {
    out.print("\t" + name + "=" + (value.isNumber() ? value.decimalValue().toPlainString() : ""));
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("usage: PlanSeeds <plan.json>");
      System.exit(2);
    }
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    write(new ObjectMapper().readTree(new File(arguments[0])), out);
    out.flush();
  }
}

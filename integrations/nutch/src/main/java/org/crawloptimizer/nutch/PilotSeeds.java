package org.crawloptimizer.nutch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The probes of a day ({@code crawl-optimizer pilot today --json}) → seeds whose metadata carry them, on stdout:
 * {@code bin/nutch org.crawloptimizer.nutch.PilotSeeds today.ndjson > seeds/probes.txt}, then {@code bin/nutch inject
 * crawl/crawldb seeds -update}. Of a page that is to be probed twice the first probe is made.
 */
public final class PilotSeeds {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PilotSeeds() {}

  static void write(BufferedReader today, PrintStream out) throws IOException {
    Map<String, String> probes = new LinkedHashMap<>();
    for (String line = today.readLine(); line != null; line = today.readLine()) {
      JsonNode step = JSON.readTree(line);
      if (step.path("why").asText().equals("probe")) {
        probes.putIfAbsent(step.path("page").asText(), step.path("time").decimalValue().toPlainString());
      }
    }
    probes.forEach((page, time) -> out.println(page + "\t" + Pilot.PROBE + "=" + time));
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("usage: PilotSeeds <today.ndjson>");
      System.exit(2);
    }
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    try (BufferedReader today = Files.newBufferedReader(Path.of(arguments[0]))) {
      write(today, out);
    }
    out.flush();
  }
}

package org.crawloptimizer.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/**
 * For tests without Maven: reads lines of a seed, a unit (both in base64) and a number, and writes the arm in the period
 * of that number, and time and place of the probe of that number.
 */
final class TrialLines {
  private TrialLines() {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      Trial trial = new Trial(text(words[0]));
      long number = Long.parseLong(words[2]);
      Trial.Probe probe = trial.probe(number, 1);
      String arm = trial.coin(text(words[1]), number).name().toLowerCase(Locale.ROOT);
      System.out.println(arm + " " + probe.time() + " " + probe.place());
    }
  }

  private static String text(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}

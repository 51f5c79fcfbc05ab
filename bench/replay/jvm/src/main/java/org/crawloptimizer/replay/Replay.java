package org.crawloptimizer.replay;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Replays pages under the crawlers' own classes, on a grid of times at which a fetch may be made; all pages are fetched
 * at the start. {@code Replay <input> <output>}: what it is told is lines of words,
 *
 * <pre>
 * grid START FIRST STEP END        epoch seconds: the fetch of all pages, the grid's first time, its step, its end
 * page CHANGE CHANGE …             epoch seconds, rising; the lines' order numbers the pages
 * plan TIME NEXT IF_UNCHANGED IF_CHANGED NEXT …   of every page, from a time of the grid on, for the run after it;
 *                                  epoch seconds and seconds, - for never
 * run nutch|stormcrawler NAME=VALUE …
 * </pre>
 *
 * what it says is, for each run, a line {@code run} and then a line {@code TIME PAGE 0|1} for every fetch on the grid,
 * 1 where the page was found changed.
 */
public final class Replay {
  private Replay() {}

  public static void main(String[] arguments) throws Exception {
    long[] grid = new long[4];
    List<long[]> pages = new ArrayList<>();
    Map<Long, String[]> plans = new HashMap<>();
    try (BufferedReader in = Files.newBufferedReader(Path.of(arguments[0]));
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[1])))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.trim().split(" +");
        switch (words[0]) {
          case "grid":
            grid = longs(words);
            break;
          case "page":
            pages.add(longs(words));
            break;
          case "plan":
            plans.put(Long.valueOf(words[1]), words);
            break;
          case "run":
            out.println("run");
            replay(incumbent(words, pages.size(), grid[0]), pages, grid, plans, out);
            plans.clear();
            break;
          default:
            throw new IllegalArgumentException("no such line: " + line);
        }
      }
    }
  }

  private static long[] longs(String[] words) {
    return Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray();
  }

  private static Incumbent incumbent(String[] words, int pages, long start) throws Exception {
    Map<String, String> settings = new HashMap<>();
    for (int k = 2; k < words.length; k++) {
      int equals = words[k].indexOf('=');
      settings.put(words[k].substring(0, equals), words[k].substring(equals + 1));
    }
    switch (words[1]) {
      case "nutch":
        return new NutchIncumbent(pages, start, settings);
      case "stormcrawler":
        return new StormCrawlerIncumbent(pages, settings);
      default:
        throw new IllegalArgumentException("no such crawler: " + words[1]);
    }
  }

  private static String figure(String word) {
    return word.equals("-") ? "" : word;
  }

  private static void replay(Incumbent incumbent, List<long[]> pages, long[] grid, Map<Long, String[]> plans,
      PrintWriter out) throws Exception {
    int[] content = new int[pages.size()];
    for (int page = 0; page < content.length; page++) {
      incumbent.fetched(page, grid[0], 0);
    }
    for (long time = grid[1]; time < grid[3]; time += grid[2]) {
      String[] plan = plans.get(time);
      for (int page = 0; plan != null && page < content.length; page++) {
        int at = 2 + 3 * page;
        incumbent.planned(page, figure(plan[at]), figure(plan[at + 1]), figure(plan[at + 2]));
      }
      for (int page = 0; page < content.length; page++) {
        if (!incumbent.fetches(page, time)) {
          continue;
        }
        int version = content[page];
        long[] changes = pages.get(page);
        while (version < changes.length && changes[version] <= time) {
          version++;
        }
        incumbent.fetched(page, time, version);
        out.println(time + " " + page + " " + (version > content[page] ? 1 : 0));
        content[page] = version;
      }
    }
  }
}

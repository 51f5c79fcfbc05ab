package org.crawloptimizer.replay;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.AdaptiveScheduler;
import com.digitalpebble.stormcrawler.persistence.Scheduler;
import com.digitalpebble.stormcrawler.persistence.Status;
import java.io.InputStream;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.Yaml;

/**
 * StormCrawler's {@link AdaptiveScheduler} with the settings of crawler-default.yaml, which its jar has. It asks the
 * machine's clock, and answers with a date; what is taken of that is how many whole minutes it lies ahead.
 */
final class StormCrawlerIncumbent implements Incumbent {
  private final Scheduler scheduler;
  private final Metadata[] metadata;
  private final long[] due;

  StormCrawlerIncumbent(int pages, Map<String, String> settings) throws Exception {
    Map<String, Object> configuration = new HashMap<>();
    try (InputStream shipped = Scheduler.class.getResourceAsStream("/crawler-default.yaml")) {
      Map<String, Map<String, Object>> yaml = new Yaml().load(shipped);
      configuration.putAll(yaml.get("config"));
    }
    settings.forEach((name, text) -> configuration.put(name, number(text)));
    configuration.put("scheduler.class", AdaptiveScheduler.class.getName());
    scheduler = Scheduler.getInstance(configuration);
    metadata = new Metadata[pages];
    due = new long[pages];
    for (int page = 0; page < pages; page++) {
      metadata[page] = new Metadata();
    }
  }

  private static Number number(String text) {
    return text.contains(".") ? (Number) Float.valueOf(text) : (Number) Integer.valueOf(text);
  }

  @Override
  public boolean fetches(int page, long time) {
    return due[page] <= time;
  }

  @Override
  public void fetched(int page, long time, int content) {
    Metadata known = metadata[page];
    // As MD5SignatureParseFilter does with keyNameCopy: first the copy, then the new signature.
    String before = known.getFirstValue(AdaptiveScheduler.SIGNATURE_KEY);
    if (before != null) {
      known.setValue(AdaptiveScheduler.SIGNATURE_OLD_KEY, before);
    }
    known.setValue(AdaptiveScheduler.SIGNATURE_KEY, Integer.toString(content));
    known.setValue("fetch.statusCode", "200");
    long now = System.currentTimeMillis();
    Optional<Date> next = scheduler.schedule(Status.FETCHED, known);
    due[page] = next.isEmpty() ? Long.MAX_VALUE : time + 60 * Math.round((next.get().getTime() - now) / 60_000.0);
  }
}

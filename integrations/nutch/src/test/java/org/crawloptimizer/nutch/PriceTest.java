package org.crawloptimizer.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nutch's own inject, generate and update, and the job on the crawldb that they leave. */
class PriceTest {
  private static final long DAY = 86_400;
  private static final long START = System.currentTimeMillis() / 1000;
  private static final int PAGES = 40;

  private Path folder;
  private Path price;
  private LocalNutch nutch;

  @BeforeEach
  void begin() throws Exception {
    folder = Files.createTempDirectory("nutch-");
    price = folder.resolve("price");
    nutch = new LocalNutch(folder);
    Configuration settings = nutch.configuration();
    settings.setLong("crawl.mean.interval", 2 * DAY);
    settings.set("crawl.price.file", price.toString());
  }

  @AfterEach
  void end() throws Exception {
    LocalNutch.delete(folder);
  }

  private static String page(int n) {
    return "http://site.example/" + n;
  }

  /** Page n changes every (n + 1)/4 days; the last does not answer. */
  private static Map<String, LongUnaryOperator> site() {
    Map<String, LongUnaryOperator> versions = new HashMap<>();
    for (int n = 0; n < PAGES - 1; n++) {
      long every = (n + 1) * DAY / 4;
      versions.put(page(n), time -> (time - START) / every);
    }
    return versions;
  }

  private int price(double perDay) throws Exception {
    Price tool = new Price();
    tool.setConf(nutch.configuration());
    return tool.run(new String[] {folder.resolve("crawldb").toString(), String.valueOf(perDay)});
  }

  private static long checked(CrawlDatum datum) {
    return ((LongWritable) datum.getMetaData().get(PriceFetchSchedule.CHECKED)).get() / 1000;
  }

  /** Seconds after its last check at which each page is due. */
  private long[] dueAges(List<CrawlDatum> pages) {
    PriceFetchSchedule schedule = new PriceFetchSchedule();
    schedule.setConf(new Configuration(nutch.configuration()));
    long[] ages = new long[pages.size()];
    for (int n = 0; n < ages.length; n++) {
      long checked = checked(pages.get(n));
      long early = 0;
      long late = 91 * DAY;
      while (late - early > 1) {
        long middle = (early + late) / 2;
        if (schedule.isDue(new Text(page(n)), pages.get(n), 1000 * (checked + middle))) late = middle;
        else early = middle;
      }
      ages[n] = late;
    }
    return ages;
  }

  @Test
  void onePriceOnTheCrawldbMakesTheFetchesThatWereWanted() throws Exception {
    List<String> seeds = new ArrayList<>();
    for (int n = 0; n < PAGES; n++) seeds.add(page(n));
    nutch.inject(seeds);
    nutch.round(START + DAY, site());
    nutch.round(START + 3 * DAY, site());
    nutch.round(START + 5 * DAY, site());
    List<CrawlDatum> pages = new ArrayList<>();
    for (int n = 0; n < PAGES - 1; n++) pages.add(nutch.page(page(n)));
    for (double perDay : new double[] {5, 400, 40}) {
      assertEquals(0, price(perDay));
      assertEquals(perDay, Arrays.stream(dueAges(pages)).mapToDouble(age -> (double) DAY / age).sum(), .01 * perDay);
    }
    long[] ages = dueAges(pages);
    assertTrue(ages[4] < ages[38], "what changes often is due sooner");
    long[] times = new long[PAGES - 1];
    for (int n = 0; n < PAGES - 1; n++) times[n] = checked(pages.get(n)) + ages[n];
    long half = Arrays.stream(times).sorted().toArray()[PAGES / 2];
    Set<String> due = new TreeSet<>();
    for (int n = 0; n < PAGES - 1; n++) if (times[n] <= half) due.add(page(n));
    Set<String> fetched = nutch.round(half, site());
    fetched.remove(page(PAGES - 1));
    assertEquals(due, fetched);
  }

  @Test
  void whatNoPriceCanMakeIsSaid() throws Exception {
    nutch.inject(List.of(page(0)));
    assertThrows(IllegalStateException.class, () -> price(1), "nothing was fetched yet");
    nutch.round(START + DAY, site());
    IllegalStateException few = assertThrows(IllegalStateException.class, () -> price(.001));
    assertTrue(few.getMessage().startsWith("db.fetch.interval.max alone takes 0.0111"), few.getMessage());
    assertThrows(IllegalStateException.class, () -> price(1e6));
    assertFalse(Files.exists(price));
  }
}

package org.crawloptimizer.urlfrontier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A table {@code public.plan} at {@code -Dplan.jdbc}, with {@code -Dplan.pages} pages of site.example that are due. It
 * runs where it is asked for, {@code -Dtest=PlanTableInDatabase#is*}, as it needs the database.
 */
class PlanTableInDatabase extends PlanQueueTest {
  @Test
  void isPutRowByRow() throws Exception {
    PlanQueue queue = new PlanQueue(channel, crawl);
    int pages = queue.putTable(System.getProperty("plan.jdbc"), "public.plan", BigDecimal.valueOf(86_400));
    assertEquals(Integer.getInteger("plan.pages"), pages);
    List<URLInfo> urls = due("site.example");
    assertEquals(10, urls.size());
    for (URLInfo url : urls) {
      double interval = Double.parseDouble(url.getMetadataOrThrow("plan.intervalIfUnchanged").getValues(0));
      assertTrue(interval > 0 && interval < 86_400e3, url.getUrl());
    }
  }
}

package org.crawloptimizer.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.crawloptimizer.records.CrawlPlan;
import org.crawloptimizer.records.CrawlPlan.Request.Page;
import org.junit.jupiter.api.Test;

/** Against a service that runs: {@code mvn test -Dservice=http://localhost:8080}. */
class DayPlanTest {
  private final DayPlan question = new DayPlan(System.getProperty("service", "http://localhost:8080"));
  private final Page often = Page.of().withId("https://news.example/").withChangeRate(1e-4);
  private final Page seldom = Page.of().withId("https://news.example/about").withChangeRate(1e-7);

  @Test
  void everyCrawlIsGivenOutAndThePageThatChangesGetsMore() throws Exception {
    CrawlPlan.Answer answer = question.ask(1_760_000_000, 12, List.of(often, seldom));
    List<CrawlPlan.Answer.Solution.Page> pages = answer.solution().pages();
    assertEquals("https://news.example/", pages.get(0).id());
    assertEquals(12, answer.solution().schedule().size());
    assertEquals(12, pages.get(0).crawls() + pages.get(1).crawls());
    assertTrue(pages.get(0).crawls() > pages.get(1).crawls());
    assertTrue(answer.objective().gap() >= 0);
  }

  @Test
  void aRefusalSaysWhere() {
    IOException refused = assertThrows(IOException.class, () -> question.ask(1_760_000_000, 0, List.of(often)));
    assertTrue(refused.getMessage().contains("/crawls"), refused.getMessage());
  }
}

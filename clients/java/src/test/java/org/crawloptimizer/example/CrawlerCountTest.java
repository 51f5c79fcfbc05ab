package org.crawloptimizer.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.crawloptimizer.client.ApiException;
import org.junit.jupiter.api.Test;

/** Against a service that runs: {@code mvn test -Dservice=http://localhost:8080}. */
class CrawlerCountTest {
  private final CrawlerCount question = new CrawlerCount(System.getProperty("service", "http://localhost:8080"));

  @Test
  void theCountIsNextToTheContinuousOptimum() throws Exception {
    // λ = 0.01, ν = 1, K = 10, γ = 1.2, as in the service's own example.
    CrawlerCount.Answer answer = question.ask(0.01, 1, 10, 1.2);
    assertEquals("optimal", answer.status);
    assertTrue(answer.crawlers >= 1);
    assertTrue(Math.abs(answer.crawlers - answer.continuous) < 1, answer.crawlers + " and " + answer.continuous);
  }

  @Test
  void aRefusalSaysWhere() {
    ApiException refused = assertThrows(ApiException.class, () -> question.ask(0.01, 1, 0, 1.2));
    assertEquals(422, refused.getCode());
    assertTrue(refused.getResponseBody().contains("/capacity"), refused.getResponseBody());
  }
}

package org.crawloptimizer.example;

import java.math.BigDecimal;
import org.crawloptimizer.api.CrawlersApi;
import org.crawloptimizer.client.ApiClient;
import org.crawloptimizer.client.ApiException;
import org.crawloptimizer.model.Costs;
import org.crawloptimizer.model.CrawlerCountAnswer;
import org.crawloptimizer.model.CrawlerCountRequest;
import org.crawloptimizer.model.CrawlerCountRequestService;
import org.crawloptimizer.model.CrawlerCountSolution;

/** How many crawlers to run, asked with types that are generated from the service's OpenAPI document. */
public final class CrawlerCount {
  /** What is taken of the answer. */
  public static final class Answer {
    public final String status;
    public final int crawlers;
    /** The optimum were crawlers divisible. */
    public final double continuous;

    Answer(CrawlerCountAnswer response) {
      CrawlerCountSolution solution = response.getSolution();
      status = response.getStatus().getValue();
      crawlers = solution.getCrawlers().intValueExact();
      continuous = solution.getContinuous().getCrawlers().doubleValue();
    }
  }

  private final CrawlersApi service;

  public CrawlerCount(String url) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    service = new CrawlersApi(client);
  }

  /**
   * @param crawlerRate pages that a crawler brings in a unit of time
   * @param serviceRate pages that are indexed in it, after exponential times
   * @param starvation cost of a unit of time with nothing to index
   * @throws ApiException where the service refuses, with its problem details as the body
   */
  public Answer ask(double crawlerRate, double serviceRate, int capacity, double starvation) throws ApiException {
    CrawlerCountRequest request = new CrawlerCountRequest().capacity((long) capacity)
        .crawlerRate(BigDecimal.valueOf(crawlerRate))
        .service(new CrawlerCountRequestService(BigDecimal.valueOf(serviceRate)))
        .costs(new Costs().starvation(BigDecimal.valueOf(starvation)));
    return new Answer(service.crawlerCount(request, null));
  }

  public static void main(String[] arguments) throws ApiException {
    Answer answer = new CrawlerCount(arguments.length > 0 ? arguments[0] : "http://localhost:8080").ask(0.01, 1, 10, 1.2);
    System.out.println(answer.crawlers + " crawlers (" + answer.status + ")");
  }
}

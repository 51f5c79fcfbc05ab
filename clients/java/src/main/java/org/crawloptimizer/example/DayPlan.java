package org.crawloptimizer.example;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.crawloptimizer.records.CrawlPlan;

/** What to fetch in the next day, asked with records that are made of the service's OpenAPI document. */
public final class DayPlan {
  /** Leaves out what is null, and passes over what a later service may add. */
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setSerializationInclusion(JsonInclude.Include.NON_NULL)
          .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI operation;

  public DayPlan(String service) {
    operation = URI.create(service + "/v1/crawl-plan");
  }

  /** The plan of the day after {@code now}, in epoch seconds. */
  public CrawlPlan.Answer ask(long now, long crawls, List<CrawlPlan.Request.Page> pages)
      throws IOException, InterruptedException {
    CrawlPlan.Request request = CrawlPlan.Request.of(now, 86_400, pages).withCrawls(crawls);
    HttpRequest post =
        HttpRequest.newBuilder(operation)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(request)))
            .build();
    HttpResponse<String> response = http.send(post, BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException(response.body());
    return JSON.readValue(response.body(), CrawlPlan.Answer.class);
  }
}

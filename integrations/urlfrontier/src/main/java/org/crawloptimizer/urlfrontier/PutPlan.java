package org.crawloptimizer.urlfrontier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.File;
import java.math.BigDecimal;

/**
 * {@code PutPlan plan.json localhost:7071 [request.json]}: the plan into the frontier, the request's hosts' delays too.
 * {@code PutPlan plan.ndjson localhost:7071 86400} puts a plan table, whose unit of intervals has so many seconds.
 */
public final class PutPlan {
  private PutPlan() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 2 || arguments.length > 3) {
      System.err.println("usage: PutPlan <plan.json> <host:port> [<request.json>] | PutPlan <plan.ndjson> <host:port> <seconds>");
      System.exit(2);
    }
    ObjectMapper json = new ObjectMapper();
    ManagedChannel channel = ManagedChannelBuilder.forTarget(arguments[1]).usePlaintext().build();
    try {
      PlanQueue queue = new PlanQueue(channel, System.getProperty("crawl", "DEFAULT"));
      File plan = new File(arguments[0]);
      if (arguments[0].endsWith(".ndjson")) {
        BigDecimal unit = new BigDecimal(arguments.length == 3 ? arguments[2] : "86400");
        try (MappingIterator<JsonNode> rows = json.readerFor(JsonNode.class).readValues(plan)) {
          said(queue.putTable(rows, unit), queue);
        }
        return;
      }
      JsonNode request = arguments.length == 3 ? json.readTree(new File(arguments[2])) : json.createObjectNode();
      said(queue.put(json.readTree(plan), request), queue);
    } finally {
      channel.shutdown();
    }
  }

  private static void said(int pages, PlanQueue queue) {
    System.out.println(pages + " pages put");
    if (queue.forgets()) System.err.println("this frontier has no getURLStatus: the pages' other metadata are lost");
  }
}

package org.crawloptimizer.urlfrontier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.File;
import java.math.BigDecimal;

/**
 * {@code PutPlan plan.json localhost:7071 [request.json]}: the plan into the frontier, the request's hosts' delays too.
 * {@code PutPlan plan.ndjson localhost:7071 86400} puts a plan table, whose unit of intervals has so many seconds;
 * {@code PutPlan jdbc:postgresql://db/crawl localhost:7071 86400 public.plan} one of a database.
 */
public final class PutPlan {
  private PutPlan() {}

  public static void main(String[] arguments) throws Exception {
    boolean table = arguments.length == 4;
    if (arguments.length < 2 || arguments.length > 4 || table != arguments[0].startsWith("jdbc:")) {
      System.err.println("usage: PutPlan <plan.json> <host:port> [<request.json>] | PutPlan <plan.ndjson> <host:port> <seconds>"
          + " | PutPlan <jdbc:…> <host:port> <seconds> <table>");
      System.exit(2);
    }
    ObjectMapper json = new ObjectMapper();
    ManagedChannel channel = ManagedChannelBuilder.forTarget(arguments[1]).usePlaintext().build();
    try {
      PlanQueue queue = new PlanQueue(channel, System.getProperty("crawl", "DEFAULT"));
      if (table || arguments[0].endsWith(".ndjson")) {
        BigDecimal unit = new BigDecimal(arguments.length > 2 ? arguments[2] : "86400");
        said(queue.putTable(arguments[0], table ? arguments[3] : null, unit), queue);
        return;
      }
      JsonNode request = arguments.length == 3 ? json.readTree(new File(arguments[2])) : json.createObjectNode();
      said(queue.put(json.readTree(new File(arguments[0])), request), queue);
    } finally {
      channel.shutdown();
    }
  }

  private static void said(int pages, PlanQueue queue) {
    System.out.println(pages + " pages put");
    if (queue.forgets()) System.err.println("this frontier has no getURLStatus: the pages' other metadata are lost");
  }
}

package org.crawloptimizer.urlfrontier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.File;

/** {@code PutPlan plan.json localhost:7071 [request.json]}: the plan into the frontier, the request's hosts' delays too. */
public final class PutPlan {
  private PutPlan() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 2 || arguments.length > 3) {
      System.err.println("usage: PutPlan <plan.json> <host:port> [<request.json>]");
      System.exit(2);
    }
    ObjectMapper json = new ObjectMapper();
    ManagedChannel channel = ManagedChannelBuilder.forTarget(arguments[1]).usePlaintext().build();
    try {
      PlanQueue queue = new PlanQueue(channel, System.getProperty("crawl", "DEFAULT"));
      JsonNode request = arguments.length == 3 ? json.readTree(new File(arguments[2])) : json.createObjectNode();
      System.out.println(queue.put(json.readTree(new File(arguments[0])), request) + " pages put");
      if (queue.forgets()) System.err.println("this frontier has no getURLStatus: the pages' other metadata are lost");
    } finally {
      channel.shutdown();
    }
  }
}

package org.crawloptimizer.urlfrontier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.AckMessage;
import crawlercommons.urlfrontier.Urlfrontier.GetParams;
import crawlercommons.urlfrontier.Urlfrontier.KnownURLItem;
import crawlercommons.urlfrontier.Urlfrontier.StringList;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import crawlercommons.urlfrontier.Urlfrontier.URLItem;
import crawlercommons.urlfrontier.Urlfrontier.URLStatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlanQueueTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  /** A crawl of its own, so that a frontier in use is not disturbed. */
  final String crawl = "plan-queue-test-" + System.nanoTime();

  private Server server;
  ManagedChannel channel;

  @BeforeEach
  void begin() throws Exception {
    String address = System.getProperty("urlfrontier.address");
    if (address == null) {
      server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0)).addService(new FrontierStub())
          .build().start();
      address = "127.0.0.1:" + server.getPort();
    }
    channel = ManagedChannelBuilder.forTarget(address).usePlaintext().build();
  }

  @AfterEach
  void end() throws Exception {
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    if (server != null) {
      server.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  private static ObjectNode page(ArrayNode pages, String id, Double nextFetch) {
    return pages.addObject().put("id", id).put("nextFetch", nextFetch).put("intervalIfUnchanged", 7200.5)
        .put("intervalIfChanged", (Double) null);
  }

  List<URLInfo> due(String host) {
    List<URLInfo> urls = new ArrayList<>();
    URLFrontierGrpc.newBlockingStub(channel)
        .getURLs(GetParams.newBuilder().setKey(host).setCrawlID(crawl).setMaxUrlsPerQueue(10).setMaxQueues(1)
            .setDelayRequestable(60).build())
        .forEachRemaining(urls::add);
    return urls;
  }

  @Test
  void givesThePagesBackInThePlansOrderOnceTheyAreDue() throws Exception {
    double now = System.currentTimeMillis() / 1000.0;
    ObjectNode answer = JSON.createObjectNode().put("status", "feasible");
    ArrayNode pages = answer.putObject("solution").putArray("pages");
    page(pages, "https://a.example/second", now - 20.5);
    page(pages, "https://a.example/tomorrow", now + 86_400);
    page(pages, "https://a.example/third", now - 10);
    page(pages, "https://a.example/never", null);
    page(pages, "https://a.example/first", now - 30);
    page(pages, "https://b.example/", now - 1);
    PlanQueue queue = new PlanQueue(channel, crawl);
    ObjectNode request = JSON.createObjectNode();
    ArrayNode hosts = request.putArray("hosts");
    hosts.addObject().put("host", "a.example:8080").put("minDelay", 599.5);
    hosts.addObject().put("host", "a.example").put("minDelay", 0);
    assertEquals(6, queue.put(answer, request));

    List<URLInfo> urls = due("a.example");
    List<String> order = new ArrayList<>();
    urls.forEach(url -> order.add(url.getUrl()));
    assertEquals(List.of("https://a.example/first", "https://a.example/second", "https://a.example/third"), order);
    assertEquals("7200.5", urls.get(0).getMetadataOrThrow("plan.intervalIfUnchanged").getValues(0));
    assertEquals("never", urls.get(0).getMetadataOrThrow("plan.intervalIfChanged").getValues(0));
    pages.removeAll();
    page(pages, "https://a.example:8080/fourth", now - 1);
    assertEquals(1, queue.put(answer, request));
    assertEquals(0, due("a.example").size(), "the host's delay holds");
    assertEquals(1, due("b.example").size());
  }

  @Test
  void aHostIsFoundInEveryUrlThatACrawlerFetches() {
    assertEquals("a.example", PlanQueue.hostOf("https://A.example/list?tags=a|b"));
    assertEquals("a.example", PlanQueue.hostOf("https://a.example:8080/{id}/a b"));
    assertEquals("my_host.example", PlanQueue.hostOf("http://my_host.example/"));
    assertEquals("xn--bcher-kva.example", PlanQueue.hostOf("http://bücher.example/"));
    assertEquals("a.example", PlanQueue.hostOf("http://user:p@ss@a.example/"));
    assertEquals("[::1]", PlanQueue.hostOf("http://[::1]:8080/"));
    assertEquals("no url", PlanQueue.hostOf("no url"));
  }

  @Test
  void takesPageTenThousandAndOne() throws Exception {
    ObjectNode answer = JSON.createObjectNode().put("status", "feasible");
    ArrayNode pages = answer.putObject("solution").putArray("pages");
    double now = System.currentTimeMillis() / 1000.0;
    for (int k = 1; k <= 10_000; k++) {
      page(pages, "https://many.example/" + k, now + 900);
    }
    page(pages, "https://many.example/last", now - 5);
    assertEquals(10_001, new PlanQueue(channel, crawl).put(answer, JSON.createObjectNode()));
    List<URLInfo> urls = due("many.example");
    assertEquals(1, urls.size());
    assertEquals("https://many.example/last", urls.get(0).getUrl());
  }

  @Test
  void keepsWhatTheFrontierHoldsOfAPage() throws Exception {
    String url = "https://c.example/page";
    URLInfo held = URLInfo.newBuilder().setUrl(url).setKey("c.example").setCrawlID(crawl)
        .putMetadata("signature", StringList.newBuilder().addValues("abc").build()).build();
    CountDownLatch taken = new CountDownLatch(1);
    StreamObserver<URLItem> items = URLFrontierGrpc.newStub(channel).putURLs(new StreamObserver<>() {
      @Override
      public void onNext(AckMessage message) {}

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        taken.countDown();
      }
    });
    items.onNext(URLItem.newBuilder().setID(url)
        .setKnown(KnownURLItem.newBuilder().setInfo(held).setRefetchableFromDate(1)).build());
    items.onCompleted();
    assertTrue(taken.await(30, TimeUnit.SECONDS));

    ObjectNode answer = JSON.createObjectNode().put("status", "feasible");
    page(answer.putObject("solution").putArray("pages"), url, System.currentTimeMillis() / 1000.0 - 5);
    assertEquals(1, new PlanQueue(channel, crawl).put(answer, JSON.createObjectNode()));
    URLInfo info = due("c.example").get(0);
    assertEquals("abc", info.getMetadataOrThrow("signature").getValues(0));
    assertEquals("7200.5", info.getMetadataOrThrow("plan.intervalIfUnchanged").getValues(0));

    // a page that this plan leaves out: the next one may take it in again
    page(answer.putObject("solution").putArray("pages"), url, null);
    assertEquals(1, new PlanQueue(channel, crawl).put(answer, JSON.createObjectNode()));
    URLStatusRequest asked = URLStatusRequest.newBuilder().setUrl(url).setKey("c.example").setCrawlID(crawl).build();
    URLInfo left = URLFrontierGrpc.newBlockingStub(channel).getURLStatus(asked).getKnown().getInfo();
    assertEquals("abc", left.getMetadataOrThrow("signature").getValues(0));
  }

  @Test
  void saysWhereAFrontierCannotTellWhatItHolds() throws Exception {
    ObjectNode answer = JSON.createObjectNode().put("status", "feasible");
    page(answer.putObject("solution").putArray("pages"), "https://d.example/", 1.0);
    PlanQueue telling = new PlanQueue(channel, crawl);
    telling.put(answer, JSON.createObjectNode());
    assertFalse(telling.forgets());

    FrontierStub older = new FrontierStub() {
      @Override
      public void getURLStatus(URLStatusRequest wanted, StreamObserver<URLItem> answer) {
        answer.onError(Status.UNIMPLEMENTED.asRuntimeException());
      }
    };
    Server other = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0)).addService(older).build().start();
    ManagedChannel toOther = ManagedChannelBuilder.forTarget("127.0.0.1:" + other.getPort()).usePlaintext().build();
    PlanQueue queue = new PlanQueue(toOther, crawl);
    assertEquals(1, queue.put(answer, JSON.createObjectNode()));
    assertTrue(queue.forgets());
    toOther.shutdownNow();
    other.shutdownNow();
  }

  @Test
  void refusesAnAnswerWithoutAPlan() {
    ObjectNode answer = JSON.createObjectNode().put("status", "infeasible");
    String said = assertThrows(IllegalArgumentException.class, () -> new PlanQueue(channel, crawl).put(answer, JSON.createObjectNode()))
        .getMessage();
    assertEquals("no plan with its pages as rows: its status is \"infeasible\"", said);
  }
}

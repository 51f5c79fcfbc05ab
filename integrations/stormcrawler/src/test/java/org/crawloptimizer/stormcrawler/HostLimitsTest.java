package org.crawloptimizer.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.Test;

/** Hosts are asked as fast as they bear it: by the steps of estimates/host-limits, and in StormCrawler's own FetcherBolt. */
class HostLimitsTest {
  private static final String HOST = "a.example";

  private static JsonNode recorded() throws Exception {
    return new ObjectMapper().readTree(Path.of("../../test/fixtures/host-delays.json").toFile());
  }

  @Test
  void requestsAtOnceAreFollowedAsRecorded() throws Exception {
    for (JsonNode stream : recorded().path("streams")) {
      HostDelays delays = new HostDelays(0, null);
      delays.turn(HOST, 0);
      for (JsonNode event : stream.path("events")) {
        delays.note(HOST, event.get(2).asInt(), event.get(0).asDouble(), event.get(1).asDouble(), Double.NaN);
        double expected = event.get(4).asDouble();
        assertEquals(expected, delays.delay(HOST, 0, 1e9), 1e-9 * Math.max(1, expected), stream.get("concurrency") + " at once");
      }
    }
  }

  @Test
  void retryAfterIsReadAsRecorded() throws Exception {
    JsonNode cases = recorded().path("retryAfter");
    for (JsonNode each : cases.path("cases")) {
      double expected = each.get(1).isNull() ? Double.NaN : each.get(1).asDouble();
      double found = HostLimitedProtocol.retryAfter(each.get(0).asText(), cases.get("now").asDouble());
      assertEquals(expected, found, 1e-9, each.toString());
    }
  }

  @Test
  void aHostIsFoundInEveryUrl() {
    assertEquals("a.example:8080", HostLimitedProtocol.host("http://user:x@A.example:8080/{id}|a b"));
    assertEquals("my_host.example", HostLimitedProtocol.host("http://my_host.example/"));
    assertEquals("", HostLimitedProtocol.host("no url"));
  }

  @Test
  void theStepsAreThoseOfHostLimits() {
    assertEquals(1 / 1.1, HostDelays.nextDelay(1, 1, 100, 0, .095), 1e-12);
    assertEquals(1 / 1.05, HostDelays.nextDelay(1, 2, 100, 1, .095), 1e-12);
    assertEquals(1, HostDelays.nextDelay(.5, 1, 40, 2, .095), 1e-12);
    assertEquals(.095, HostDelays.nextDelay(.1, .1, 100, 0, .095), 1e-12);
  }

  @Test
  void aBucketOfTokensRefusesLittleAndServesMost() {
    HostDelays delays = new HostDelays(0, null);
    double time = 0;
    double tokens = 10;
    double last = 0;
    int refusals = 0;
    int requests = 6000;
    for (int k = 0; k < requests; k++) {
      for (double wait = delays.turn(HOST, time); wait > 0; wait = delays.turn(HOST, time)) time += wait;
      tokens = Math.min(10, tokens + (time - last) / 3);
      last = time;
      boolean refused = tokens < 1;
      if (refused) refusals++;
      else tokens--;
      delays.note(HOST, refused ? 429 : 200, time, time + .05, Double.NaN);
      time += .05;
    }
    assertTrue(refusals < .06 * requests, refusals + " refusals");
    assertTrue(3 * (requests - refusals) > .6 * time, requests - refusals + " requests in " + time + " s");
  }

  @Test
  void aHostIsLeftAloneForAsLongAsItAsks() {
    HostDelays delays = new HostDelays(1, null);
    delays.note(HOST, 503, 1000, 1000, HostLimitedProtocol.retryAfter("90", 1000));
    assertEquals(89, delays.delay(HOST, 1001, 60), 1e-9);
    assertEquals(1, delays.delay(HOST, 1001, 100), 1e-9);
    assertEquals(89, delays.turn(HOST, 1001), 1e-9);
    assertEquals(0, delays.turn(HOST, 1090), 1e-9);
    assertEquals(1, delays.turn(HOST, 1090), 1e-9);
    assertEquals(1, delays.delay(HOST, 1091, 60), 1e-9);
  }

  private static HttpServer server(com.sun.net.httpserver.HttpHandler handler) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", handler);
    server.start();
    return server;
  }

  private static String address(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Answers as the service does, by the command line. */
  private static HttpServer service(List<String> asked) throws Exception {
    return server(exchange -> {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add(exchange.getRequestURI().getPath() + " " + body);
      List<String> command = new ArrayList<>(List.of(System.getProperty("crawl.optimizer").split(" ")));
      Path request = Files.createTempFile("host-limits-", ".json");
      Files.writeString(request, body);
      command.addAll(List.of("estimates/host-limits", request.toString()));
      Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      byte[] answer;
      try (InputStream said = process.getInputStream()) {
        answer = said.readAllBytes();
      }
      exchange.sendResponseHeaders(200, answer.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(answer);
      }
    });
  }

  @Test
  void aServiceFindsTheDelayInTheRequests() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer service = service(asked);
    try {
      HostDelays delays = new HostDelays(.25, address(service));
      double start = System.currentTimeMillis() / 1000. - 1000;
      // 60 requests a window of a hundred seconds, as the log shows; the last makes a step, and the service is asked
      double time = start;
      for (int k = 0; k < 301; k++) {
        delays.note(HOST, k % 100 < 60 ? 200 : 429, time, time, Double.NaN);
        time += 1;
      }
      double before = delays.delay(HOST, time, 60);
      long end = System.currentTimeMillis() + 60_000;
      while (System.currentTimeMillis() < end && delays.delay(HOST, time, 60) == before) Thread.sleep(50);
      assertTrue(asked.get(0).startsWith("/v1/estimates/host-limits {\"hosts\":[{\"host\":\"a.example\",\"requests\":[{"));
      assertTrue(delays.delay(HOST, time, 60) >= .25 && delays.delay(HOST, time, 60) != before, "the delay is the service's");
    } finally {
      service.stop(0);
    }
  }

  @Test
  void theFetcherItselfIsHeldBack() throws Exception {
    List<Long> asked = new CopyOnWriteArrayList<>();
    HttpServer site = server(exchange -> {
      boolean robots = exchange.getRequestURI().getPath().equals("/robots.txt");
      if (!robots) asked.add(System.currentTimeMillis());
      boolean refused = !robots && asked.size() == 3;
      if (refused) exchange.getResponseHeaders().set("Retry-After", "3");
      exchange.getResponseHeaders().set("Content-Type", "text/html");
      byte[] body = "<p>a page".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(robots ? 404 : refused ? 429 : 200, body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    });
    List<String> pages = new ArrayList<>();
    for (int page = 0; page < 6; page++) pages.add(address(site) + "/" + page);
    String settings = "  http.protocol.implementation: \"" + HostLimitedProtocol.class.getName() + "\"\n"
        + "  fetcher.max.crawl.delay: -1\n";
    try (LocalCluster cluster = new LocalCluster();
        LocalCluster.LocalTopology topology = TopologyTest.submitted(cluster, "limited", settings, pages)) {
      long end = System.currentTimeMillis() + 120_000;
      while (System.currentTimeMillis() < end && asked.size() < 5) Thread.sleep(100);
    } finally {
      site.stop(0);
    }
    assertTrue(asked.size() >= 5, asked.size() + " requests");
    // without the class the next comes after fetcher.server.delay, a tenth of a second
    assertTrue(asked.get(3) - asked.get(2) >= 2900, "held back " + (asked.get(3) - asked.get(2)) + " ms of 3,000");
    assertTrue(asked.get(4) - asked.get(3) < 2900, "and no longer");
  }
}

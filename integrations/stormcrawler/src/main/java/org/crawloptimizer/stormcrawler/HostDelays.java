package org.crawloptimizer.stormcrawler;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How fast each host is asked: its delay follows what it refuses, by the steps of estimates/host-limits; a service, where
 * there is one, also finds quotas in its last requests. Copies in TypeScript and Python are held to the same events.
 * Times in seconds.
 */
final class HostDelays {
  private static final Logger LOG = LoggerFactory.getLogger(HostDelays.class);
  /** Requests without too many refusals after which a delay is shortened; requests that a service gets. */
  private static final int BATCH = 100;
  private static final int KEPT = 5000;
  /** Tolerated share of refusals; increase of the rate, as a share of the highest sustained rate. */
  private static final double TOLERATED = 0.01;
  private static final double INCREASE = 0.1;
  /** Delay after the first refusal of a host without a delay, and the longest delay, seconds. */
  private static final double FIRST = 1;
  static final double LONGEST = 86_400;
  private static final Pattern NEXT = Pattern.compile("\"nextDelay\":\\s*([-+.0-9eE]+)");

  /** The delay of a host, and the counts of requests since the delay took effect. */
  private static final class Host {
    double delay;
    double since;
    double borne;
    int requests;
    int refusals;
    /** End of the host's Retry-After, and the time of the next allowed request. */
    double until;
    double next;
    final Deque<String> log = new ArrayDeque<>();
  }

  private final Map<String, Host> hosts = new HashMap<>();
  private final double least;
  private final String service;
  private final HttpClient client;

  /** @param service that is asked after each step; null: steps alone */
  HostDelays(double least, String service) {
    this.least = least;
    this.service = service;
    client = service == null ? null : HttpClient.newHttpClient();
  }

  /** Halves the rate after too many refusals, otherwise raises it by a fixed step (Chiu &amp; Jain 1989). */
  static double nextDelay(double delay, double borne, int requests, int refusals, double least) {
    if (delay <= 0) return refusals > 0 ? Math.max(FIRST, least) : least;
    if (refusals > TOLERATED * requests) return Math.min(LONGEST, Math.max(2 * delay, least));
    return Math.max(1 / (1 / delay + INCREASE / (borne > 0 ? borne : delay)), least);
  }

  /** Seconds between two requests to a host, or the rest of its Retry-After if that is longer than `most`. */
  synchronized double delay(String name, double now, double most) {
    Host host = of(name, now);
    return host.until - now > most ? host.until - now : host.delay;
  }

  /** Seconds until a request may be sent; 0 counts it as sent. Nothing is reserved: a new delay holds for all waiters. */
  synchronized double turn(String name, double now) {
    Host host = of(name, now);
    double wait = Math.max(0, Math.max(host.next, host.until) - now);
    if (wait == 0) host.next = now + host.delay;
    return wait;
  }

  /** Records the answer to a request. @param retryAfter in seconds, NaN without the header */
  synchronized void note(String name, int status, double asked, double now, double retryAfter) {
    Host host = of(name, asked);
    boolean refused = status == 429 || status == 503;
    String wait = refused && retryAfter >= 0 ? ",\"retryAfter\":" + Math.min(retryAfter, LONGEST) : "";
    host.log.add(String.format(Locale.ROOT, "{\"time\":%.3f,\"status\":%d%s}", asked, status, wait));
    if (host.log.size() > KEPT) host.log.remove();
    // A request sent before the last change of the delay does not count: refusals in flight together count once.
    if (asked >= host.since) {
      host.requests++;
      if (refused) host.refusals++;
    }
    if (host.refusals > Math.max(1, TOLERATED * host.requests) || host.requests >= BATCH) step(name, host, now);
    if (refused && retryAfter > 0) host.until = Math.max(host.until, now + Math.min(retryAfter, LONGEST));
  }

  private Host of(String name, double now) {
    return hosts.computeIfAbsent(name, key -> {
      Host host = new Host();
      host.delay = least;
      host.since = now;
      return host;
    });
  }

  private void step(String name, Host host, double now) {
    if (host.refusals == 0 && (host.borne == 0 || host.delay < host.borne)) host.borne = host.delay;
    set(name, host, nextDelay(host.delay, host.borne, host.requests, host.refusals, least), now);
    if (service == null) return;
    String log = host.log.stream().collect(Collectors.joining(","));
    String known = host.delay > 0 ? String.format(Locale.ROOT, ",\"delay\":%s,\"since\":%.3f", host.delay, now) : "";
    String body = "{\"hosts\":[{\"host\":\"" + name + "\",\"requests\":[" + log + "]" + known + "}]}";
    HttpRequest request = HttpRequest.newBuilder(URI.create(service.replaceAll("/+$", "") + "/v1/estimates/host-limits"))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(10))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).whenComplete((answer, failed) -> {
      Matcher next = NEXT.matcher(answer == null ? "" : answer.body());
      if (answer == null || answer.statusCode() != 200) LOG.warn("no delay from {}: {}", service, failed);
      else if (next.find()) told(name, Double.parseDouble(next.group(1)));
    });
  }

  private synchronized void told(String name, double delay) {
    set(name, hosts.get(name), Math.max(delay, least), System.currentTimeMillis() / 1000.);
  }

  private static void set(String name, Host host, double delay, double now) {
    if (delay != host.delay) LOG.info("{}: a request every {} s, before {} s", name, delay, host.delay);
    host.next += delay - host.delay;
    host.delay = delay;
    host.since = now;
    host.requests = 0;
    host.refusals = 0;
  }
}

package org.crawloptimizer.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.protocol.Protocol;
import com.digitalpebble.stormcrawler.protocol.ProtocolResponse;
import com.digitalpebble.stormcrawler.protocol.RobotRules;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import crawlercommons.robots.BaseRobotRules;
import java.net.URI;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.storm.Config;

/**
 * A protocol whose hosts are asked as fast as they bear it: {@link HostDelays} says each host's delay, which FetcherBolt
 * takes as if robots.txt had asked for it.
 *
 * <pre>
 * http.protocol.implementation: "org.crawloptimizer.stormcrawler.HostLimitedProtocol"
 * https.protocol.implementation: "org.crawloptimizer.stormcrawler.HostLimitedProtocol"
 * host.limits.protocol: "com.digitalpebble.stormcrawler.protocol.okhttp.HttpProtocol"   # left out: httpclient's
 * crawl.optimizer.url: "http://localhost:3000"     # left out: steps alone
 * fetcher.max.crawl.delay: -1                      # else pages of slower hosts are given up
 * </pre>
 *
 * <p>FetcherBolt asks for the delay before a fetch and keeps it after: a request that comes too early for what the last
 * one brought waits here, and is answered 503 without asking the host where that takes more than a minute.
 */
public class HostLimitedProtocol implements Protocol {
  private static final double LONGEST_WAIT = 60;

  private Protocol inner;
  private HostDelays delays;

  @Override
  public void configure(Config configuration) {
    String name = ConfUtils.getString(
        configuration, "host.limits.protocol", "com.digitalpebble.stormcrawler.protocol.httpclient.HttpProtocol");
    try {
      inner = Class.forName(name).asSubclass(Protocol.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException exception) {
      throw new IllegalArgumentException("host.limits.protocol: " + name, exception);
    }
    inner.configure(configuration);
    double least = ConfUtils.getFloat(configuration, "fetcher.server.delay", 1);
    delays = new HostDelays(least, ConfUtils.getString(configuration, "crawl.optimizer.url"));
  }

  @Override
  public BaseRobotRules getRobotRules(String url) {
    BaseRobotRules own = inner.getRobotRules(url);
    long delay = Math.max(own.getCrawlDelay(), Math.round(1000 * delays.delay(host(url), now(), LONGEST_WAIT)));
    RobotRules rules = new RobotRules(own) {
      @Override
      public long getCrawlDelay() {
        return delay;
      }
    };
    if (own instanceof RobotRules) rules.setContentLengthFetched(((RobotRules) own).getContentLengthFetched());
    return rules;
  }

  @Override
  public ProtocolResponse getProtocolOutput(String url, Metadata metadata) throws Exception {
    String host = host(url);
    double wait = delays.turn(host, now(), LONGEST_WAIT);
    if (wait > LONGEST_WAIT) return new ProtocolResponse(new byte[0], 503, new Metadata());
    Thread.sleep(Math.round(1000 * wait));
    double asked = now();
    ProtocolResponse response = inner.getProtocolOutput(url, metadata);
    String header = response.getMetadata().getFirstValue("retry-after");
    delays.note(host, response.getStatusCode(), asked, now(), retryAfter(header, now()));
    return response;
  }

  @Override
  public void cleanup() {
    inner.cleanup();
  }

  /** Seconds, from a number or a date; NaN for neither. */
  static double retryAfter(String header, double now) {
    if (header == null) return Double.NaN;
    String text = header.trim();
    if (text.matches("\\d{1,9}")) return Double.parseDouble(text);
    try {
      return Math.max(0, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond() - now);
    } catch (DateTimeException exception) {
      return Double.NaN;
    }
  }

  private static String host(String url) {
    String host = URI.create(url.replaceAll("[?#].*", "").replace(' ', '+')).getAuthority();
    return host == null ? "" : host.toLowerCase(Locale.ROOT).replaceAll("[^-._:\\[\\]a-z0-9]", "");
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.;
  }
}

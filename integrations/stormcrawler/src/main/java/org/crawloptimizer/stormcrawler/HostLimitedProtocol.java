package org.crawloptimizer.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.protocol.Protocol;
import com.digitalpebble.stormcrawler.protocol.ProtocolResponse;
import com.digitalpebble.stormcrawler.protocol.RobotRules;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import crawlercommons.robots.BaseRobotRules;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.Config;

/**
 * A protocol whose hosts are asked as fast as they bear it: {@link HostDelays} says each host's delay, which FetcherBolt
 * takes as if robots.txt had asked for it.
 *
 * <pre>
 * http.protocol.implementation: "org.crawloptimizer.stormcrawler.HostLimitedProtocol"
 * https.protocol.implementation: "org.crawloptimizer.stormcrawler.HostLimitedProtocol"
 * host.limits.protocol: "com.digitalpebble.stormcrawler.protocol.okhttp.HttpProtocol"   # left out: httpclient's
 * crawl.optimizer.url: "http://localhost:8080"     # optional: also finds quotas
 * fetcher.max.crawl.delay: -1                      # else pages of slower hosts are given up
 * </pre>
 *
 * <p>FetcherBolt asks for the delay before a fetch and keeps it after: a request that comes too early for what the last
 * one brought waits here, and is answered 503 without asking the host where that takes more than a minute.
 */
public class HostLimitedProtocol implements Protocol {
  private static final double LONGEST_WAIT = 60;
  private static final Pattern AUTHORITY = Pattern.compile("^\\s*[a-zA-Z][a-zA-Z0-9+.-]*://([^/?#\\\\]*)");
  private static final List<DateTimeFormatter> DATES = List.of(
      DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH),
      new DateTimeFormatterBuilder().appendPattern("EEEE, dd-MMM-").appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
          .appendPattern(" HH:mm:ss 'GMT'").toFormatter(Locale.ENGLISH),
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss uuuu", Locale.ENGLISH));

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
    double begin = now();
    for (double wait = delays.turn(host, begin); wait > 0; wait = delays.turn(host, now())) {
      if (now() + wait - begin > LONGEST_WAIT) return new ProtocolResponse(new byte[0], 503, new Metadata());
      Thread.sleep((long) Math.ceil(1000 * wait));
    }
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

  /** Seconds of a Retry-After: a number, or a date in a form of RFC 9110 (5.6.7); NaN for neither. */
  static double retryAfter(String header, double now) {
    if (header == null) return Double.NaN;
    String text = header.trim();
    if (text.matches("[0-9]+(\\.[0-9]+)?")) return Math.min(HostDelays.LONGEST, Double.parseDouble(text));
    for (DateTimeFormatter form : DATES) {
      try {
        double at = LocalDateTime.parse(text.replaceAll(" +", " "), form).toEpochSecond(ZoneOffset.UTC);
        return Math.min(HostDelays.LONGEST, Math.max(0, at - now));
      } catch (DateTimeException exception) {
        // the next form
      }
    }
    return Double.NaN;
  }

  /** The authority of a URL, whatever stands in its path; "" where there is none. */
  static String host(String url) {
    Matcher authority = AUTHORITY.matcher(url);
    return authority.find() ? authority.group(1).replaceFirst("^.*@", "").toLowerCase(Locale.ROOT).replaceAll("[^-._:\\[\\]\\p{L}\\p{N}]", "") : "";
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.;
  }
}

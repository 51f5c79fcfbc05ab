package org.crawloptimizer.urlfrontier;

import com.fasterxml.jackson.databind.JsonNode;
import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.AckMessage;
import crawlercommons.urlfrontier.Urlfrontier.KnownURLItem;
import crawlercommons.urlfrontier.Urlfrontier.QueueDelayParams;
import crawlercommons.urlfrontier.Urlfrontier.StringList;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import crawlercommons.urlfrontier.Urlfrontier.URLItem;
import crawlercommons.urlfrontier.Urlfrontier.URLStatusRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.net.IDN;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts a plan of crawl-optimizer into a frontier: each page as a known URL that may be fetched from its {@code
 * nextFetch} on, in the queue of its host, with the plan's two intervals as metadata; each host's {@code minDelay} as the delay of its queue.
 */
public final class PlanQueue {
  /** StormCrawler's spout drops empty values. */
  private static final String NEVER = "never";
  /** Year 2286, for pages without a next fetch: at 0, its word for never, a frontier forgets the metadata of a URL. */
  private static final long NOT_PLANNED = 9_999_999_999L;

  private static final Pattern AUTHORITY = Pattern.compile("^\\s*[a-zA-Z][a-zA-Z0-9+.-]*://([^/?#\\\\]*)");

  private final Channel channel;
  private final String crawl;
  private boolean forgets;

  public PlanQueue(Channel channel, String crawl) {
    this.channel = channel;
    this.crawl = crawl;
  }

  /**
   * Puts the pages, then the delays: a frontier ignores the delay of a queue that does not exist yet.
   *
   * @param answer of crawl-plan, with its pages as rows
   * @param request of that answer, for the delays of its hosts; an empty object sets none
   * @return how many pages the frontier took
   * @throws IllegalStateException where it refused one, with its URL
   */
  public int put(JsonNode answer, JsonNode request) throws InterruptedException, ExecutionException, TimeoutException {
    JsonNode pages = answer.path("solution").path("pages");
    if (!pages.isArray()) {
      throw new IllegalArgumentException("no plan with its pages as rows: its status is " + answer.path("status"));
    }
    Answers answers = new Answers();
    StreamObserver<URLItem> items = URLFrontierGrpc.newStub(channel).putURLs(answers);
    for (JsonNode page : pages) {
      items.onNext(item(page));
    }
    items.onCompleted();
    int taken = answers.done.get(10, TimeUnit.MINUTES);
    setDelays(request);
    return taken;
  }

  /** Whether the frontier could not return the stored metadata of the pages, which are lost then. */
  public boolean forgets() {
    return forgets;
  }

  /** Delays of queues in whole seconds, rounded up. A queue is one host with all its ports; the longest delay holds. */
  private void setDelays(JsonNode request) {
    Map<String, Integer> delays = new HashMap<>();
    for (JsonNode host : request.path("hosts")) {
      if (host.path("minDelay").isNumber()) {
        int seconds = (int) Math.ceil(host.path("minDelay").asDouble());
        delays.merge(hostOf("http://" + host.path("host").asText()), seconds, Math::max);
      }
    }
    delays.forEach((key, seconds) -> URLFrontierGrpc.newBlockingStub(channel).setDelay(
        QueueDelayParams.newBuilder().setKey(key).setCrawlID(crawl).setDelayRequestable(seconds).build()));
  }

  private URLItem item(JsonNode page) {
    String url = page.path("id").asText();
    URLInfo.Builder info = known(url);
    for (String name : new String[] {"intervalIfUnchanged", "intervalIfChanged"}) {
      String seconds = page.path(name).isNumber() ? page.path(name).decimalValue().toPlainString() : NEVER;
      info.putAllMetadata(Map.of("plan." + name, StringList.newBuilder().addValues(seconds).build()));
    }
    long from = page.path("nextFetch").isNumber() ? (long) Math.ceil(page.path("nextFetch").asDouble()) : NOT_PLANNED;
    return URLItem.newBuilder().setID(url)
        .setKnown(KnownURLItem.newBuilder().setInfo(info).setRefetchableFromDate(from)).build();
  }

  /** The stored state of a URL, whose metadata and queue are kept; a new URL goes to the queue of its host. */
  private URLInfo.Builder known(String url) {
    URLInfo.Builder info = URLInfo.newBuilder().setUrl(url).setKey(hostOf(url)).setCrawlID(crawl);
    URLStatusRequest asked = URLStatusRequest.newBuilder().setUrl(url).setKey(hostOf(url)).setCrawlID(crawl).build();
    try {
      URLItem item = URLFrontierGrpc.newBlockingStub(channel).getURLStatus(asked);
      return item.hasKnown() ? item.getKnown().getInfo().toBuilder().setUrl(url).setCrawlID(crawl) : info;
    } catch (StatusRuntimeException error) {
      Status.Code code = error.getStatus().getCode();
      if (code == Status.Code.UNIMPLEMENTED) forgets = true;
      if (code == Status.Code.NOT_FOUND || forgets) return info;
      throw error;
    }
  }

  /**
   * The host of a URL, as far as a queue needs it: whatever stands in the path, and with names that no URI may have
   * (an underscore, letters beyond ASCII). One without a host is its own queue.
   */
  static String hostOf(String url) {
    Matcher authority = AUTHORITY.matcher(url);
    if (!authority.find()) return url;
    String host = authority.group(1).replaceFirst("^.*@", "").replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
    if (host.isEmpty()) return url;
    try {
      return host.startsWith("[") ? host : IDN.toASCII(host);
    } catch (IllegalArgumentException notAName) {
      return host;
    }
  }

  private static final class Answers implements StreamObserver<AckMessage> {
    private final CompletableFuture<Integer> done = new CompletableFuture<>();
    private int taken;

    @Override
    public void onNext(AckMessage message) {
      if (message.getStatus() == AckMessage.Status.FAIL) {
        done.completeExceptionally(new IllegalStateException("the frontier refused " + message.getID()));
      }
      taken++;
    }

    @Override
    public void onError(Throwable error) {
      done.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
      done.complete(taken);
    }
  }
}

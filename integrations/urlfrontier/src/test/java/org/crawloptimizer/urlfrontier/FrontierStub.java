package org.crawloptimizer.urlfrontier;

import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.AckMessage;
import crawlercommons.urlfrontier.Urlfrontier.Empty;
import crawlercommons.urlfrontier.Urlfrontier.GetParams;
import crawlercommons.urlfrontier.Urlfrontier.KnownURLItem;
import crawlercommons.urlfrontier.Urlfrontier.QueueDelayParams;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import crawlercommons.urlfrontier.Urlfrontier.URLItem;
import crawlercommons.urlfrontier.Urlfrontier.URLStatusRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A stub, not the service: it does what the interface's own documentation says of the four calls that are used. The
 * service itself is published as a container image alone; against one that runs, test with
 * {@code -Durlfrontier.address=localhost:7071}.
 */
class FrontierStub extends URLFrontierGrpc.URLFrontierImplBase {
  private final Map<String, KnownURLItem> known = new HashMap<>();
  private final Map<String, Integer> delays = new HashMap<>();
  private final Map<String, Long> lastProduced = new HashMap<>();

  @Override
  public StreamObserver<URLItem> putURLs(StreamObserver<AckMessage> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(URLItem item) {
        KnownURLItem page = item.getKnown();
        // as URLFrontier does: of a URL that is never fetched again it keeps the name
        if (page.getRefetchableFromDate() == 0) {
          page = page.toBuilder().setInfo(page.getInfo().toBuilder().clearMetadata()).build();
        }
        synchronized (FrontierStub.this) {
          known.put(page.getInfo().getUrl(), page);
        }
        answers.onNext(AckMessage.newBuilder().setID(item.getID()).setStatus(AckMessage.Status.OK).build());
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  @Override
  public synchronized void getURLStatus(URLStatusRequest wanted, StreamObserver<URLItem> answer) {
    KnownURLItem item = known.get(wanted.getUrl());
    if (item == null) {
      answer.onError(Status.NOT_FOUND.asRuntimeException());
      return;
    }
    answer.onNext(URLItem.newBuilder().setKnown(item).build());
    answer.onCompleted();
  }

  @Override
  public synchronized void setDelay(QueueDelayParams delay, StreamObserver<Empty> answer) {
    // as URLFrontier does: there is no queue before its first URL
    boolean exists = known.values().stream().anyMatch(item -> item.getInfo().getKey().equals(delay.getKey()));
    if (exists) delays.put(delay.getKey(), delay.getDelayRequestable());
    answer.onNext(Empty.getDefaultInstance());
    answer.onCompleted();
  }

  @Override
  public synchronized void getURLs(GetParams wanted, StreamObserver<URLInfo> answer) {
    long now = System.currentTimeMillis() / 1000;
    String key = wanted.getKey();
    boolean rests = lastProduced.getOrDefault(key, 0L) + delays.getOrDefault(key, 1) >= now;
    List<KnownURLItem> due = known.values().stream()
        .filter(item -> item.getInfo().getKey().equals(key) && item.getRefetchableFromDate() > 0
            && item.getRefetchableFromDate() <= now)
        .sorted(Comparator.comparingLong(KnownURLItem::getRefetchableFromDate))
        .limit(wanted.getMaxUrlsPerQueue()).collect(Collectors.toList());
    if (!rests && !due.isEmpty()) {
      lastProduced.put(key, now);
      due.forEach(item -> answer.onNext(item.getInfo()));
    }
    answer.onCompleted();
  }
}

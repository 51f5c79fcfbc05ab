package org.crawloptimizer.trial;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The coin that deals pages to the arms of a trial, and the times of its probes (docs/estimates/freshness.md). Both are
 * hashes of texts, so that nothing has to be kept but the seed: every language and database computes the same.
 */
public final class Trial {
  /** The rule by which a unit's pages are crawled in a period. */
  public enum Arm {
    PLAN,
    INCUMBENT
  }

  /** A probe to be made: when, and the page's place among the cumulative weights, 0 to 1. */
  public record Probe(double time, double place) {}

  private final String seed;

  public Trial(String seed) {
    this.seed = seed;
  }

  /** The arm of a unit (a page or a host) in a period, which begins that many lengths after 1970. */
  public Arm coin(String unit, long period) {
    return digest(seed + "/" + period + "/" + unit)[0] >= 0 ? Arm.PLAN : Arm.INCUMBENT;
  }

  /** Probe number {@code cell}, of which there is one in every {@code length} of time. */
  public Probe probe(long cell, double length) {
    String at = seed + "/probe/" + cell;
    return new Probe((cell + uniform(at + "/time")) * length, uniform(at + "/page"));
  }

  /** A number in [0, 1) of 52 bits: the first thirteen hexadecimal digits. */
  private static double uniform(String text) {
    return (ByteBuffer.wrap(digest(text)).getLong() >>> 12) / 0x1p52;
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java platform has MD5", missing);
    }
  }
}

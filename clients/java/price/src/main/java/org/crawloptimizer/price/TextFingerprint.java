package org.crawloptimizer.price;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * By how much a text changed, from 64 bits of it: bit b is 1 where more of its words' hashes have a 1 there than a 0
 * (Charikar 2002). Crawlee's and Scrapy's logs have the same.
 */
public final class TextFingerprint {
  private static final int BITS = 64;
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final Pattern ONE = Pattern.compile("[0-9a-f]{16}");

  private TextFingerprint() {}

  /** Sixteen hexadecimal digits of a text's words. */
  public static String of(String text) {
    MessageDigest md5;
    try {
      md5 = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
    int[] votes = new int[BITS];
    for (Matcher words = WORD.matcher(text.toLowerCase(Locale.ROOT)); words.find(); ) {
      byte[] hash = md5.digest(words.group().getBytes(StandardCharsets.UTF_8));
      for (int b = 0; b < BITS; b++) votes[b] += (hash[b >> 3] >> (7 - (b & 7)) & 1) == 1 ? 1 : -1;
    }
    long fingerprint = 0;
    for (int b = 0; b < BITS; b++) if (votes[b] > 0) fingerprint |= 1L << (BITS - 1 - b);
    return String.format(Locale.ROOT, "%016x", fingerprint);
  }

  private static boolean isOne(String signature) {
    return signature != null && ONE.matcher(signature).matches();
  }

  /** The share of the text that changed between two of them: the cosine of two texts' words sets how many bits differ. */
  public static double changedShare(String before, String after) {
    int distance = Long.bitCount(Long.parseUnsignedLong(before, 16) ^ Long.parseUnsignedLong(after, 16));
    return Math.min(1, Math.round(1e4 * (1 - Math.cos(Math.PI * distance / BITS))) / 1e4);
  }

  /** That share as the notes of fetches have it, {@code :0.25}; empty where one of the two is no fingerprint. */
  public static String noted(String before, String after) {
    return isOne(before) && isOne(after) ? ":" + BigDecimal.valueOf(changedShare(before, after)).toPlainString() : "";
  }
}

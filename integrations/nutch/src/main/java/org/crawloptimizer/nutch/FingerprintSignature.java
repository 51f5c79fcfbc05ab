package org.crawloptimizer.nutch;

import java.nio.ByteBuffer;
import org.apache.nutch.crawl.Signature;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.protocol.Content;
import org.crawloptimizer.price.TextFingerprint;

/**
 * Signs the text of a page with 64 bits that tell how much of it changed: {@code db.signature.class}. {@link
 * FetchHistory} notes the share of the text with each change.
 */
public class FingerprintSignature extends Signature {
  @Override
  public byte[] calculate(Content content, Parse parse) {
    String text = parse == null || parse.getText() == null ? "" : parse.getText();
    return ByteBuffer.allocate(Long.BYTES).putLong(Long.parseUnsignedLong(TextFingerprint.of(text), 16)).array();
  }
}

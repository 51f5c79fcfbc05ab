package org.crawloptimizer.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.parse.ParseData;
import com.digitalpebble.stormcrawler.parse.ParseFilter;
import com.digitalpebble.stormcrawler.parse.ParseResult;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.crawloptimizer.price.TextFingerprint;
import org.w3c.dom.DocumentFragment;

/**
 * Signs the text of a page with 64 bits that tell how much of it changed, in place of MD5SignatureParseFilter and with
 * its parameters {@code keyName} (signature) and {@code keyNameCopy}.
 */
public class FingerprintParseFilter extends ParseFilter {
  private String name = "signature";
  private String copy;

  @Override
  public void configure(Map<String, Object> configuration, JsonNode parameters) {
    name = parameters.path("keyName").asText(name);
    copy = parameters.path("keyNameCopy").asText(null);
  }

  @Override
  public void filter(String url, byte[] content, DocumentFragment document, ParseResult parse) {
    ParseData data = parse.get(url);
    Metadata metadata = data.getMetadata();
    String before = metadata.getFirstValue(name);
    if (copy != null && before != null) metadata.setValue(copy, before);
    metadata.setValue(name, TextFingerprint.of(data.getText() == null ? "" : data.getText()));
  }
}

package org.crawloptimizer.nutch;

import crawlercommons.robots.BaseRobotRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.protocol.RobotRulesParser;

/**
 * HTTP and a parser of plain text as a plugin: Nutch's own Fetcher and ParseSegment run with it. Its plugins
 * protocol-http and parse-html are no part of its jar in Maven Central.
 */
public final class HttpForTests extends Configured implements Protocol, Parser {
  @Override
  public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
    try {
      HttpURLConnection connection = (HttpURLConnection) new URL(url.toString()).openConnection();
      connection.setInstanceFollowRedirects(false);
      int code = connection.getResponseCode();
      byte[] body = new byte[0];
      try (InputStream in = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
        if (in != null) body = in.readAllBytes();
      }
      String page = url.toString();
      Content content = new Content(page, page, body, "text/plain", new Metadata(), getConf());
      return new ProtocolOutput(content, status(code, connection.getHeaderField("Location")));
    } catch (IOException failed) {
      return new ProtocolOutput(null, new ProtocolStatus(failed));
    }
  }

  private static ProtocolStatus status(int code, String location) {
    switch (code) {
      case 200:
        return ProtocolStatus.STATUS_SUCCESS;
      case 304:
        return ProtocolStatus.STATUS_NOTMODIFIED;
      case 301:
        return new ProtocolStatus(ProtocolStatus.MOVED, location);
      case 302:
        return new ProtocolStatus(ProtocolStatus.TEMP_MOVED, location);
      case 404:
        return ProtocolStatus.STATUS_NOTFOUND;
      default:
        return new ProtocolStatus(ProtocolStatus.EXCEPTION, "status " + code);
    }
  }

  @Override
  public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robotsTxt) {
    return RobotRulesParser.EMPTY_RULES;
  }

  @Override
  public ParseResult getParse(Content content) {
    ParseData data = new ParseData(ParseStatus.STATUS_SUCCESS, "", new Outlink[0], content.getMetadata());
    String text = new String(content.getContent(), StandardCharsets.UTF_8);
    return ParseResult.createParseResult(content.getUrl(), new ParseImpl(text, data));
  }
}

package org.crawloptimizer.tables;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * The pages of a plan table ({@code crawl-optimizer tables plan --out}), one at a time, whatever its size. Their first
 * column names them.
 */
public final class PlanTable {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final int BATCH = 10_000;

  private PlanTable() {}

  /** Takes a page: {@code id}, and as the plan of crawl-plan says, {@code nextFetch} and its two intervals. */
  public interface Taker {
    void take(ObjectNode page) throws IOException;
  }

  /**
   * Reads a table. One interval holds whatever a fetch sees; a page with an interval and no time for its next fetch is
   * due at once.
   *
   * @param source a file of JSON lines, or a JDBC URL whose driver is on the class path: {@code jdbc:postgresql:…}, or
   *     {@code jdbc:duckdb:} for Parquet
   * @param table what stands behind FROM: the name of a table, or of a file {@code .parquet}; null for a file of lines
   * @param unit seconds in the unit of its intervals
   * @throws IllegalArgumentException where its columns are not those of a plan table
   */
  public static void read(String source, String table, BigDecimal unit, Taker taker) throws IOException, SQLException {
    if (source.startsWith("jdbc:")) {
      readQuery(source, "SELECT * FROM " + (table.endsWith(".parquet") ? "'" + table + "'" : table), unit, taker);
      return;
    }
    try (MappingIterator<JsonNode> rows = JSON.readerFor(JsonNode.class).readValues(new File(source))) {
      while (rows.hasNext()) {
        JsonNode row = rows.next();
        if (!row.has("interval")) throw new IllegalArgumentException("a plan table has a column interval, not " + row);
        taker.take(page(row.iterator().next().asText(), number(row, "interval"), number(row, "nextFetch"), unit));
      }
    }
  }

  private static void readQuery(String url, String query, BigDecimal unit, Taker taker)
      throws IOException, SQLException {
    Properties properties = new Properties();
    // else DuckDB's driver holds the whole answer
    if (url.startsWith("jdbc:duckdb:")) properties.setProperty("jdbc_stream_results", "true");
    try (Connection connection = DriverManager.getConnection(url, properties)) {
      // else PostgreSQL's driver holds the whole answer
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(BATCH);
        try (ResultSet rows = statement.executeQuery(query)) {
          int interval = column(rows, "interval");
          int nextFetch = column(rows, "nextFetch");
          if (interval == 0) throw new IllegalArgumentException("a plan table has a column interval: " + query);
          while (rows.next()) {
            taker.take(page(rows.getString(1), number(rows, interval), number(rows, nextFetch), unit));
          }
        }
      }
    }
  }

  /** The position of a column; 0 where there is none. */
  private static int column(ResultSet rows, String name) throws SQLException {
    for (int k = rows.getMetaData().getColumnCount(); k > 0; k--) {
      if (rows.getMetaData().getColumnLabel(k).equalsIgnoreCase(name)) return k;
    }
    return 0;
  }

  private static BigDecimal number(ResultSet rows, int column) throws SQLException {
    Object value = column == 0 ? null : rows.getObject(column);
    return value == null ? null : new BigDecimal(value.toString());
  }

  private static BigDecimal number(JsonNode row, String name) {
    return row.path(name).isNumber() ? row.path(name).decimalValue() : null;
  }

  private static ObjectNode page(String id, BigDecimal interval, BigDecimal nextFetch, BigDecimal unit) {
    BigDecimal seconds = interval == null ? null : interval.multiply(unit);
    // 0 is a frontier's word for never
    BigDecimal next = nextFetch == null && interval != null ? BigDecimal.ONE : nextFetch;
    return JSON.createObjectNode().put("id", id).put("nextFetch", next)
        .put("intervalIfUnchanged", seconds).put("intervalIfChanged", seconds);
  }
}

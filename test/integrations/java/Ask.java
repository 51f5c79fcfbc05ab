import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crawloptimizer.records.ChangeRates;
import org.crawloptimizer.records.CrawlPlan;
import org.crawloptimizer.records.CrawlSchedule;

/** Prints requests that are made of records, and the names that the records of answers have, as lines of JSON. */
class Ask {
  public static void main(String[] words) throws ReflectiveOperationException {
    CrawlPlan.Request.Page seen =
        CrawlPlan.Request.Page.of()
            .withId("https://news.example/")
            .withWeight(2)
            .withObservations(List.of(CrawlPlan.Request.Page.Observation.of(1759900000).withStatus(200)));
    CrawlPlan.Request.Page known = CrawlPlan.Request.Page.of().withId("https://shop.example/").withChangeRate(1e-5);
    print(CrawlPlan.Request.of(1760000000, 86400, List.of(seen, known)).withCrawls(6).withObjective("delay"));
    List<List<Object>> checks = List.of(List.of(3600, true), List.of(7200, false));
    print(ChangeRates.Request.of(List.of(ChangeRates.Request.Page.of().withId("a").withChecks(checks))));
    CrawlSchedule.Request.Page page =
        CrawlSchedule.Request.Page.of().withChangeRate(2).withId("a").withMinCrawls(1);
    CrawlSchedule.Request.Crawler north = CrawlSchedule.Request.Crawler.of().withId("north").withSlots(3);
    print(CrawlSchedule.Request.of(1, List.of(page), List.of(north)));
    for (Class<?> type : List.of(CrawlPlan.Answer.class, ChangeRates.Answer.class, CrawlSchedule.Answer.class)) {
      System.out.println(names(type));
    }
  }

  private static void print(Object value) throws ReflectiveOperationException {
    System.out.println(json(value));
  }

  private static String json(Object value) throws ReflectiveOperationException {
    if (value instanceof List<?> items) {
      StringBuilder text = new StringBuilder("[");
      for (Object item : items) text.append(text.length() > 1 ? "," : "").append(json(item));
      return text.append("]").toString();
    }
    if (value instanceof Map<?, ?> map) {
      StringBuilder text = new StringBuilder("{");
      for (Map.Entry<?, ?> each : map.entrySet()) member(text, String.valueOf(each.getKey()), each.getValue());
      return text.append("}").toString();
    }
    if (value instanceof Record) {
      StringBuilder text = new StringBuilder("{");
      for (RecordComponent each : value.getClass().getRecordComponents()) {
        Object inner = each.getAccessor().invoke(value);
        if (inner != null) member(text, wireName(each), inner);
      }
      return text.append("}").toString();
    }
    return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
  }

  /** What Java keeps for itself has `_` behind it. */
  private static String wireName(RecordComponent each) {
    return each.getName().replaceFirst("_$", "");
  }

  private static void member(StringBuilder text, String name, Object value) throws ReflectiveOperationException {
    text.append(text.length() > 1 ? "," : "").append('"').append(name).append("\":").append(json(value));
  }

  /** The components of a record and of the records in it, each with what it holds; null for what is no record. */
  private static String names(Class<?> type) {
    return Stream.of(type.getRecordComponents())
        .map(each -> "\"" + wireName(each) + "\":" + inside(each.getGenericType().getTypeName()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String inside(String typeName) {
    String name = typeName.replaceAll("^java\\.util\\.List<(.*)>$", "$1");
    try {
      Class<?> type = Class.forName(name);
      return type.isRecord() ? names(type) : "null";
    } catch (ClassNotFoundException none) {
      return "null";
    }
  }
}

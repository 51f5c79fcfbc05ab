/** The functions of price/index.ts as macros of DuckDB. */
import { ageGainSeries, momentSeries } from './series.ts';

/** An expression in a name that is computed once: macros are written out wherever they stand. */
const once = (name: string, value: string, body: string): string =>
  `list_transform([${value}], lambda ${name}: ${body})[1]`;

export function duckdbPriceFunctions(): string {
  const macro = (head: string, body: string): string => `CREATE OR REPLACE MACRO ${head} AS\n  ${body};`;
  const memories = 'range(1, 5)';
  const kept = '[20, 80, 320, 1280][k]';
  const bisected = (miss: string, low: string, span: string): string =>
    [
      `exp(list_reduce(list_transform(range(0, 60), lambda each: [0::DOUBLE]), lambda bracket, n: CASE WHEN ${miss} > 0`,
      `    THEN [bracket[1], (bracket[1] + bracket[2]) / 2] ELSE [(bracket[1] + bracket[2]) / 2, bracket[2]] END,`,
      `    [(${low})::DOUBLE, (${low} + ${span})::DOUBLE])[1])`,
    ].join('\n  ');
  const middle = 'exp((bracket[1] + bracket[2]) / 2)';
  return [
    macro('crawl_log1p(x)', 'CASE WHEN x < 0.5 THEN 2 * atanh(x / (2 + x)) ELSE ln(1 + x) END'),
    macro(
      'crawl_expm1(x)',
      once('z', 'x', 'CASE WHEN abs(z) < 0.5 THEN 2 * sinh(z / 2) * exp(z / 2) ELSE exp(z) - 1 END'),
    ),
    macro('crawl_decayed(k, l)', 'CASE WHEN k = 0 THEN l ELSE -crawl_expm1(-k * l) / k END'),
    macro(
      'crawl_first_moment(a, u, l)',
      [
        `CASE WHEN (a + 2) * u < 0.3 THEN ${momentSeries(2)}`,
        'WHEN abs(a - 1) * l > 0.5 THEN (1 - exp(-a * l) * (1 + u)) / (a - 1) - u * exp(-a * l)',
        'ELSE crawl_decayed(a - 1, l) - u * exp(-a * l) END',
      ].join('\n  '),
    ),
    macro(
      'crawl_second_moment(a, u, l)',
      [
        `CASE WHEN (a + 3) * u < 0.5 THEN ${momentSeries(3)}`,
        'WHEN abs(a - 1) < 0.5 THEN 2 * (crawl_decayed(a - 2, l) - crawl_decayed(a - 1, l)) - u * u * exp(-a * l)',
        'ELSE 2 * (crawl_decayed(a - 2, l) - u * exp((1 - a) * l)) / (a - 1) - u * u * exp(-a * l) END',
      ].join('\n  '),
    ),
    macro(
      'crawl_law_worth(a, b, u, l, objective)',
      [
        "CASE objective WHEN 'freshness' THEN b * crawl_first_moment(a, u, l)",
        "WHEN 'delay' THEN a * b * u * u / 2",
        "WHEN 'age' THEN b * b / 2 * (-u * u * crawl_expm1(-a * l) - crawl_second_moment(a, u, l))",
        "WHEN 'harmonic' THEN b * u / 8 * list_sum(list_transform(list_transform(range(-36, 37), lambda v: [v / 8, exp(-v / 8)]),",
        '  lambda v: exp(-exp(v[1] - v[2]) + v[1] - v[2]) * (1 + v[2]) * -crawl_expm1(-a * crawl_log1p(u * exp(v[1] - v[2])))))',
        'END',
      ].join('\n  '),
    ),
    macro(
      'crawl_shares(belief)',
      once(
        'parts',
        'list_transform(belief[9:12], lambda each: exp(each - list_max(belief[9:12])))',
        'list_transform(parts, lambda each: each / list_sum(parts))',
      ),
    ),
    // share, shape, scale: a list of three a memory
    macro(
      'crawl_laws(belief)',
      once(
        'shares',
        'crawl_shares(belief)',
        `list_transform(${memories}, lambda k: [shares[k], belief[k], belief[4 + k]])`,
      ),
    ),
    macro(
      'crawl_believed_rate(belief)',
      'list_sum(list_transform(crawl_laws(belief), lambda law: law[1] * law[2] / law[3]))',
    ),
    macro(
      'crawl_worth_of(laws, age, objective)',
      [
        'list_sum(list_transform(list_transform(laws, lambda law: [law[1], law[2], law[3], age / law[3], crawl_log1p(age / law[3])]),',
        '  lambda law: law[1] * crawl_law_worth(law[2], law[3], law[4], law[5], objective)))',
      ].join('\n  '),
    ),
    macro('crawl_worth(belief, age, objective)', 'crawl_worth_of(crawl_laws(belief), age, objective)'),
    macro(
      'crawl_new_belief(mean_rate)',
      'list_transform(range(0, 12), lambda k: CASE WHEN k < 4 THEN 0.5 WHEN k < 8 THEN 0.5 / mean_rate ELSE 0 END::DOUBLE)',
    ),
    // mean, square
    macro(
      'crawl_law_matched(moments, foretold)',
      once(
        'variance',
        'greatest(moments[2] - moments[1] * moments[1], 1e-6 * moments[1] * moments[1])',
        '[moments[1] * moments[1] / variance, moments[1] / variance, foretold]',
      ),
    ),
    macro(
      'crawl_law_changed(a, b, foretold, tau, chance)',
      once(
        'moments',
        [
          '[a / b * (tau / (b + tau) + b / (b + tau) * chance) / chance,',
          '  a / b * (a + 1) / b * (tau / (b + tau) + b / (b + tau) * (tau / (b + tau) + b / (b + tau) * chance)) / chance]',
        ].join('\n  '),
        'crawl_law_matched(moments, foretold + ln(chance))',
      ),
    ),
    // given: shape, scale and the faded foretelling of a memory that has forgotten; the time watched
    macro(
      'crawl_law_after(given, tau, changed, known)',
      [
        'CASE WHEN known THEN [given[1] + 1, given[2] + tau,',
        '  given[3] + ln(given[1] / given[2]) - (given[1] + 1) * crawl_log1p(tau / given[2])]',
        'WHEN changed THEN',
        `  ${once(
          'chance',
          '-crawl_expm1(-given[1] * crawl_log1p(tau / given[2]))',
          'crawl_law_changed(given[1], given[2], given[3], tau, chance)',
        )}`,
        'ELSE [given[1], given[2] + tau, given[3] - given[1] * crawl_log1p(tau / given[2])] END',
      ].join('\n  '),
    ),
    macro('crawl_kept(k, elapsed, memory_unit)', `exp(-ln(2) * elapsed / (${kept} * memory_unit))`),
    macro(
      'crawl_watched(elapsed, changed, change_age)',
      'CASE WHEN changed THEN coalesce(change_age, elapsed) ELSE elapsed END',
    ),
    macro(
      'crawl_after_check(belief, elapsed, changed, change_age, mean_rate, memory_unit)',
      once(
        'after',
        [
          `list_transform(list_transform(${memories}, lambda k: [`,
          '  0.5 + crawl_kept(k, elapsed, memory_unit) * (belief[k] - 0.5),',
          '  0.5 / mean_rate + crawl_kept(k, elapsed, memory_unit) * (belief[4 + k] - 0.5 / mean_rate),',
          '  belief[8 + k] * exp(-ln(2) * crawl_watched(elapsed, changed, change_age) / (365 * memory_unit))]), lambda given:',
          '  crawl_law_after(given, crawl_watched(elapsed, changed, change_age), changed, changed AND change_age IS NOT NULL))',
        ].join('\n  '),
        'list_transform(range(0, 12), lambda k: after[k % 4 + 1][k // 4 + 1])',
      ),
    ),
    macro(
      'crawl_age_of_worth(laws, rate, target, objective)',
      [
        'CASE WHEN NOT target > 0 THEN 0 WHEN crawl_worth_of(laws, 1e30 / rate, objective) <= target THEN NULL',
        `ELSE ${bisected(
          `crawl_worth_of(laws, ${middle}, objective) - target`,
          "ln(CASE objective WHEN 'age' THEN pow(3 * target / rate, 1.0 / 3) WHEN 'harmonic' THEN sqrt(target / rate)" +
            ' ELSE sqrt(2 * target / rate) END) - 1e-9',
          '70',
        )} END`,
      ].join('\n  '),
    ),
    macro(
      'crawl_due_age(belief, weight, price, objective)',
      once(
        'laws',
        'crawl_laws(belief)',
        'crawl_age_of_worth(laws, list_sum(list_transform(laws, lambda law: law[1] * law[2] / law[3])), price / weight, objective)',
      ),
    ),
    macro(
      'crawl_known_worth(y, objective)',
      [
        "CASE WHEN objective = 'freshness' THEN CASE WHEN y < 0.5 THEN 0 ELSE 1 - (1 + y) * exp(-y) END",
        `WHEN y < 1 THEN ${ageGainSeries()} WHEN y > 40 THEN y * y / 2 - 1 ELSE y * y / 2 - 1 + (1 + y) * exp(-y) END`,
      ].join('\n  '),
    ),
    macro(
      'crawl_changes_at(load)',
      [
        'CASE WHEN load < 0.005 THEN sqrt(2 * load) * (1 + sqrt(2 * load) * (1.0 / 3 + sqrt(2 * load) * (1.0 / 36',
        '  + sqrt(2 * load) * (-1.0 / 270 + sqrt(2 * load) * (1.0 / 4320 + sqrt(2 * load) * (1.0 / 17010',
        '  - sqrt(2 * load) * 139.0 / 5443200))))))',
        'ELSE list_reduce(list_transform(range(0, 60), lambda each: each::DOUBLE), lambda y, n: y - (y - crawl_log1p(y) - load) * (1 + y) / y,',
        '  (load + sqrt(2 * load))::DOUBLE) END',
      ].join('\n  '),
    ),
    macro(
      'crawl_age_changes(load)',
      bisected(
        `crawl_known_worth(${middle}, 'age') - load`,
        'ln(CASE WHEN load < 1 THEN pow(3 * load, 1.0 / 3) ELSE sqrt(2 * load) END) - 1e-9',
        '3',
      ),
    ),
    macro(
      'crawl_due_age_known(rate, weight, price, objective)',
      [
        "CASE WHEN NOT price > 0 THEN 0 WHEN objective = 'delay' THEN sqrt(2 * price / weight / rate)",
        "WHEN objective = 'harmonic' THEN (price / weight + sqrt(price / weight * price / weight + 4 * price / weight / rate)) / 2",
        "WHEN objective = 'freshness' AND price * rate / weight >= 1 THEN NULL",
        "WHEN objective = 'freshness' THEN crawl_changes_at(-crawl_log1p(-price * rate / weight)) / rate",
        'ELSE crawl_age_changes(price / weight * rate * rate) / rate END',
      ].join('\n  '),
    ),
    macro(
      'crawl_next_price(price, seen, wanted, pages, ahead)',
      [
        'price * pow(least(5, greatest(0.2, (seen + 0.5) / (least(5 * wanted, greatest(wanted / 5,',
        '  wanted - 0.5 * least(1, wanted / (2 * pages)) * ahead)) + 0.5))), least(1, wanted / (2 * pages)))',
      ].join('\n  '),
    ),
  ].join('\n');
}

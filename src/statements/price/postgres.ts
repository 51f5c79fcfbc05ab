/** The functions of price/index.ts in PostgreSQL's own language. */
import { ageGainSeries, momentSeries } from './series.ts';

type Arguments = Readonly<Record<string, string>>;

const signature = (named: Arguments): string =>
  Object.entries(named)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

const expression = (name: string, named: Arguments, body: string): string =>
  [
    `CREATE OR REPLACE FUNCTION ${name}(${signature(named)}) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$`,
    `  SELECT ${body}`,
    '$$;',
  ].join('\n');

const program = (head: string, named: Arguments, returns: string, lines: readonly string[]): string =>
  [
    `CREATE OR REPLACE FUNCTION ${head}(${signature(named)}) RETURNS ${returns} LANGUAGE plpgsql IMMUTABLE AS $$`,
    ...lines,
    '$$;',
  ].join('\n');

const number = 'float8';

/** Bisection of a rising function of `middle`, an age. */
const bisection = (worth: string, low: string, span: string): string[] => [
  `  low := ${low};`,
  `  high := low + ${span};`,
  '  FOR n IN 1..60 LOOP',
  '    middle := exp((low + high) / 2);',
  `    IF ${worth} THEN high := (low + high) / 2; ELSE low := (low + high) / 2; END IF;`,
  '  END LOOP;',
];

export function postgresPriceFunctions(): string {
  const law = { a: number, u: number };
  return [
    expression('crawl_exp', { x: number }, 'CASE WHEN x < -200 THEN 0 ELSE exp(x) END'),
    expression(
      'crawl_log1p',
      { x: number },
      'CASE WHEN abs(x) < 1e-300 THEN x WHEN abs(x) < 0.5 THEN 2 * atanh(x / (2 + x)) ELSE ln(1 + x) END',
    ),
    expression(
      'crawl_expm1',
      { x: number },
      'CASE WHEN abs(x) < 1e-300 THEN x WHEN abs(x) < 0.5 THEN 2 * sinh(x / 2) * exp(x / 2) ELSE crawl_exp(x) - 1 END',
    ),
    expression('crawl_decayed', { k: number, l: number }, 'CASE WHEN k = 0 THEN l ELSE -crawl_expm1(-k * l) / k END'),
    program('crawl_first_moment', law, number, [
      'DECLARE l float8 := crawl_log1p(u); fresh float8 := crawl_exp(-a * l);',
      'BEGIN',
      `  IF (a + 2) * u < 0.3 THEN RETURN ${momentSeries(2)}; END IF;`,
      '  IF abs(a - 1) * l > 0.5 THEN RETURN (1 - fresh * (1 + u)) / (a - 1) - u * fresh; END IF;',
      '  RETURN crawl_decayed(a - 1, l) - u * fresh;',
      'END',
    ]),
    program('crawl_second_moment', law, number, [
      'DECLARE l float8 := crawl_log1p(u); area float8;',
      'BEGIN',
      `  IF (a + 3) * u < 0.5 THEN RETURN ${momentSeries(3)}; END IF;`,
      '  IF abs(a - 1) < 0.5 THEN area := crawl_decayed(a - 2, l) - crawl_decayed(a - 1, l);',
      '  ELSE area := (crawl_decayed(a - 2, l) - u * crawl_exp((1 - a) * l)) / (a - 1); END IF;',
      '  RETURN 2 * area - u * u * crawl_exp(-a * l);',
      'END',
    ]),
    program('crawl_law_worth', { a: number, b: number, x: number, objective: 'text' }, number, [
      'DECLARE u float8 := x / b; total float8 := 0; rest float8; t float8;',
      'BEGIN',
      "  IF objective = 'freshness' THEN RETURN b * crawl_first_moment(a, u); END IF;",
      "  IF objective = 'delay' THEN RETURN a / b * x * x / 2; END IF;",
      "  IF objective = 'age' THEN",
      '    RETURN b * b / 2 * (-u * u * crawl_expm1(-a * crawl_log1p(u)) - crawl_second_moment(a, u));',
      '  END IF;',
      '  FOR n IN -36..36 LOOP',
      '    rest := exp(-n / 8.0::float8);',
      '    t := exp(n / 8.0::float8 - rest);',
      '    total := total - exp(-t) * t * (1 + rest) * crawl_expm1(-a * crawl_log1p(u * t));',
      '  END LOOP;',
      '  RETURN x * total / 8;',
      'END',
    ]),
    program('crawl_shares', { belief: 'float8[]' }, 'float8[]', [
      'DECLARE most float8 := greatest(belief[9], belief[10], belief[11], belief[12]); shares float8[]; total float8 := 0;',
      'BEGIN',
      '  FOR k IN 1..4 LOOP shares[k] := crawl_exp(belief[8 + k] - most); total := total + shares[k]; END LOOP;',
      '  FOR k IN 1..4 LOOP shares[k] := shares[k] / total; END LOOP;',
      '  RETURN shares;',
      'END',
    ]),
    program('crawl_believed_rate', { belief: 'float8[]' }, number, [
      'DECLARE shares float8[] := crawl_shares(belief); mean float8 := 0;',
      'BEGIN',
      '  FOR k IN 1..4 LOOP mean := mean + shares[k] * (belief[k] / belief[4 + k]); END LOOP;',
      '  RETURN mean;',
      'END',
    ]),
    program('crawl_worth', { belief: 'float8[]', age: number, objective: 'text' }, number, [
      'DECLARE shares float8[] := crawl_shares(belief); worth float8 := 0;',
      'BEGIN',
      '  FOR k IN 1..4 LOOP',
      '    IF shares[k] > 1e-16 THEN',
      '      worth := worth + shares[k] * crawl_law_worth(belief[k], belief[4 + k], age, objective);',
      '    END IF;',
      '  END LOOP;',
      '  RETURN worth;',
      'END',
    ]),
    [
      'CREATE OR REPLACE FUNCTION crawl_new_belief(mean_rate float8) RETURNS float8[] LANGUAGE sql IMMUTABLE AS $$',
      '  SELECT array_fill(0.5::float8, ARRAY[4]) || array_fill(0.5 / mean_rate, ARRAY[4]) || array_fill(0::float8, ARRAY[4])',
      '$$;',
    ].join('\n'),
    program(
      'crawl_after_check',
      {
        belief: 'float8[]',
        elapsed: number,
        changed: 'boolean',
        change_age: number,
        mean_rate: number,
        memory_unit: number,
      },
      'float8[]',
      [
        'DECLARE',
        '  half_lives float8[] := ARRAY[20, 80, 320, 1280]; known boolean := changed AND change_age IS NOT NULL;',
        '  tau float8 := CASE WHEN changed THEN coalesce(change_age, elapsed) ELSE elapsed END; result float8[] := belief;',
        '  kept float8; a float8; b float8; l float8; seen float8; chance float8; stale float8; one float8; mean float8;',
        '  variance float8;',
        'BEGIN',
        '  FOR k IN 1..4 LOOP',
        '    kept := crawl_exp(-ln(2::float8) * elapsed / (half_lives[k] * memory_unit));',
        '    a := 0.5 + kept * (belief[k] - 0.5);',
        '    b := 0.5 / mean_rate + kept * (belief[4 + k] - 0.5 / mean_rate);',
        '    l := crawl_log1p(tau / b);',
        '    seen := -a * l;',
        '    IF known THEN',
        '      seen := seen + ln(a / b) - l; a := a + 1; b := b + tau;',
        '    ELSIF changed THEN',
        '      chance := greatest(-crawl_expm1(seen), 1e-300);',
        '      stale := tau / (b + tau);',
        '      one := stale + (1 - stale) * chance;',
        '      mean := a / b * (one / chance);',
        '      variance := greatest(a / b * (a + 1) / b * ((stale + (1 - stale) * one) / chance) - mean * mean,',
        '        1e-6 * mean * mean);',
        '      seen := ln(chance); b := mean / variance; a := mean * b;',
        '    ELSE b := b + tau; END IF;',
        '    result[k] := a; result[4 + k] := b;',
        '    result[8 + k] := belief[8 + k] * crawl_exp(-ln(2::float8) * tau / (365 * memory_unit)) + seen;',
        '  END LOOP;',
        '  RETURN result;',
        'END',
      ],
    ),
    program('crawl_due_age', { belief: 'float8[]', weight: number, price: number, objective: 'text' }, number, [
      'DECLARE target float8 := price / weight; rate float8 := crawl_believed_rate(belief);',
      '  low float8; high float8; middle float8;',
      'BEGIN',
      '  IF NOT target > 0 THEN RETURN 0; END IF;',
      '  IF crawl_worth(belief, 1e30 / rate, objective) <= target THEN RETURN NULL; END IF;',
      ...bisection(
        'crawl_worth(belief, middle, objective) > target',
        "ln(CASE objective WHEN 'age' THEN power(3 * target / rate, 1.0::float8 / 3) WHEN 'harmonic' THEN sqrt(target / rate)" +
          ' ELSE sqrt(2 * target / rate) END) - 1e-9',
        '70',
      ),
      '  RETURN exp(low);',
      'END',
    ]),
    program('crawl_due_age_known', { rate: number, weight: number, price: number, objective: 'text' }, number, [
      'DECLARE target float8 := price / weight; load float8 := price * rate / weight; u float8; y float8;',
      '  low float8; high float8; middle float8;',
      'BEGIN',
      '  IF NOT target > 0 THEN RETURN 0; END IF;',
      "  IF objective = 'delay' THEN RETURN sqrt(2 * target / rate); END IF;",
      "  IF objective = 'harmonic' THEN RETURN (target + sqrt(target * target + 4 * target / rate)) / 2; END IF;",
      "  IF objective = 'freshness' THEN",
      '    IF load >= 1 THEN RETURN NULL; END IF;',
      '    load := -crawl_log1p(-load);',
      '    u := sqrt(2 * load);',
      '    IF u < 0.1 THEN RETURN u * (1 + u * (1.0 / 3 + u * (1.0 / 36 + u * (-1.0 / 270 + u * (1.0 / 4320',
      '      + u * (1.0 / 17010 - u * 139 / 5443200)))))) / rate; END IF;',
      '    y := u + load;',
      '    FOR n IN 1..60 LOOP y := y - (y - crawl_log1p(y) - load) * (1 + y) / y; END LOOP;',
      '    RETURN y / rate;',
      '  END IF;',
      '  load := target * rate * rate;',
      ...bisection(
        'crawl_age_gain(middle) > load',
        'ln(CASE WHEN load < 1 THEN power(3 * load, 1.0::float8 / 3) ELSE sqrt(2 * load) END) - 1e-9',
        '3',
      ),
      '  RETURN exp(low) / rate;',
      'END',
    ]),
    expression(
      'crawl_age_gain',
      { y: number },
      `CASE WHEN y < 1 THEN ${ageGainSeries()} WHEN y > 40 THEN y * y / 2 - 1 ELSE y * y / 2 - 1 + (1 + y) * exp(-y) END`,
    ),
    expression(
      'crawl_next_price',
      { price: number, seen: number, wanted: number, pages: number, ahead: number },
      [
        'price * power(least(5, greatest(0.2, (seen + 0.5) / (least(5 * wanted, greatest(wanted / 5,',
        '    wanted - 0.5 * least(1, wanted / (2 * pages)) * ahead)) + 0.5))), least(1, wanted / (2 * pages)))',
      ].join('\n'),
    ),
  ].join('\n');
}

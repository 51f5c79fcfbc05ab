/**
 * Newton's method for the maximum-likelihood rate of every page, as common table expressions from `asked` (one row a
 * page) to `found`, with the columns page_id, near (the rate) and information (the observed Fisher information).
 */

/** Number of Newton steps, each a common table expression. */
const steps = 8;

/** Newton's method by a join with `gaps` (one row a check) for each step. */
export function newtonByJoins(asKeyword: string): string {
  const growth = 'LEAST(s.rate * g.elapsed, 600)';
  const expm1 = `CASE WHEN ${growth} < 0.00001 THEN ${growth} * (1 + ${growth} / 2) ELSE EXP(${growth}) - 1 END`;
  const sums = (name: string, from: string): string =>
    [
      `${name} ${asKeyword} (SELECT page_id, same, rate AS near, SUM(elapsed / less_one) AS total,`,
      '  SUM(elapsed * elapsed * (less_one + 1) / less_one / less_one) AS information',
      `FROM (SELECT s.page_id AS page_id, s.same AS same, s.rate AS rate, g.elapsed AS elapsed, ${expm1} AS less_one`,
      `  FROM ${from} s JOIN gaps g ON g.page_id = s.page_id WHERE g.changed = 1 AND g.elapsed > 0) terms`,
      'GROUP BY page_id, same, rate)',
    ].join('\n');
  const expressions = [
    [
      `step0 ${asKeyword} (SELECT page_id, same, changes / (same + (whole - same) / 2 + whole / checks / 4) AS rate`,
      '  FROM asked WHERE changes > 0)',
    ].join('\n'),
  ];
  for (let step = 1; step <= steps; step++) {
    expressions.push(
      sums(`sums${step}`, `step${step - 1}`),
      `step${step} ${asKeyword} (SELECT page_id, same, near * EXP(LN(total / same) * total / (near * information)) AS rate FROM sums${step})`,
    );
  }
  return [...expressions, sums('found', `step${steps}`)].join(',\n');
}

/**
 * For Spark: the column of `asked` with the gaps of a page's changed checks as an array. Spark expands every reference
 * to a common table expression, so that nine joins with `gaps` would sort the log nine times.
 */
export const changedGaps = 'COLLECT_LIST(CASE WHEN changed = 1 AND elapsed > 0 THEN CAST(elapsed AS DOUBLE) END)';

/** Newton's method for Spark, in one pass over the arrays of {@link changedGaps}. */
export function newtonByArrays(): string {
  const zero = 'CAST(0 AS DOUBLE)';
  const expm1 = (rate: string): string => `EXPM1(LEAST(${rate} * elapsed, 600))`;
  const information = (rate: string): string =>
    `elapsed * elapsed * (${expm1(rate)} + 1) / ${expm1(rate)} / ${expm1(rate)}`;
  return [
    `found AS (SELECT page_id, near, AGGREGATE(changed_gaps, ${zero}, (sum, elapsed) -> sum + ${information('near')}) AS information`,
    `FROM (SELECT page_id, changed_gaps, AGGREGATE(SEQUENCE(1, ${steps}),`,
    '  CAST(changes / (same + (whole - same) / 2 + whole / checks / 4) AS DOUBLE),',
    `  (rate, step) -> AGGREGATE(changed_gaps, NAMED_STRUCT('total', ${zero}, 'information', ${zero}),`,
    `    (sums, elapsed) -> NAMED_STRUCT('total', sums.total + elapsed / ${expm1('rate')},`,
    `      'information', sums.information + ${information('rate')}),`,
    '    sums -> rate * EXP(LN(sums.total / same) * sums.total / (rate * sums.information)))) AS near',
    '  FROM asked WHERE changes > 0) rated)',
  ].join('\n');
}

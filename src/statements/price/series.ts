/** Series as one expression each, by Horner's rule, for databases. */
const momentTerms = 26;

/** a·u^power·(1/power + r₁(1/(power + 1) + r₂(…))), r_n = −(a + n)u/n: a moment of the time to a change, for small u. */
export function momentSeries(power: 2 | 3): string {
  let nested = `1.0 / ${momentTerms + power}`;
  for (let n = momentTerms; n > 0; n--) nested = `1.0 / ${n + power - 1} - (a + ${n}) * u / ${n} * (${nested})`;
  return `a * u${power === 2 ? ' * u' : ' * u * u'} * (${nested})`;
}

/** y²/2 − 1 + e^(−y)(1 + y) below 1: Σ (−1)^(n+1)(n − 1)y^n/n!, n from 3. */
export function ageGainSeries(): string {
  let nested = '0.0';
  let factorial = 1;
  const coefficients: string[] = [];
  for (let n = 1; n < 22; n++) {
    factorial *= n;
    if (n >= 3) coefficients.push(String(((n % 2 === 1 ? 1 : -1) * (n - 1)) / factorial));
  }
  for (const each of coefficients.reverse()) nested = `${each} + y * (${nested})`;
  return `y * y * y * (${nested})`;
}

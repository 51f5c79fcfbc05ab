/** What the contract says in exact numbers, as people say it. */

/** Smaller bounds stand for zero, which is not allowed; larger ones for no bound. */
const [nearZero, farAway] = [1e-9, 9e15];

/** `above 0 (at least 1e-15)` → `greater than 0`, `at most 9007199254740991` → `without a limit`. */
export function peopleWords(text: string): string {
  return text
    .replaceAll(/\babove 0 \(at least [^)]*\)/g, 'greater than 0')
    .replaceAll(/\b(?:between|from) (\d[\d.]*e-\d+) (?:and|to) /g, (whole, bound: string) =>
      Number(bound) < nearZero ? 'greater than 0 and at most ' : whole,
    )
    .replaceAll(/,? ?(?:and )?\bat most (\d[\d.]*(?:e\+?\d+)?)(?![\d.])/g, (whole, bound: string) =>
      Number(bound) >= farAway ? '' : whole,
    );
}

/** What a warning's code means, before its detail. */
const titles: Readonly<Record<string, string>> = {
  'zero-frequency-pages': 'Some pages are never accessed',
  'frequencies-scaled': 'Frequencies were scaled',
  'failed-fetches': 'Failed fetches were left out',
  'prior-only': 'Some pages have no history yet',
  'rate-not-identified': 'Some pages change faster than they are fetched',
  'diagonal-repaired': 'The diagonal was repaired',
  'renewal-fallback': 'Fitted without correlation',
  'third-moment-left': 'The third moment was left',
  'correlation-out-of-reach': 'The correlation could not be matched',
  'laws-alike': 'Several laws fit alike',
  'law-not-identified': 'The law cannot be told from these checks',
  'prediction-disagrees': 'The law predicts the checks badly',
  'stopped-early': 'Stopped early',
  'time-limit': 'Stopped by the time limit',
  'max-crawlers-binding': 'The largest count allowed was reached',
  'max-interval-missed': 'Some pages wait longer than they may',
  'curve-incomplete': 'The curve is not complete',
  'evaluation-incomplete': 'The evaluation is not complete',
  'below-min-frequency': 'Some pages get less than the least frequency',
  'absent-pages': 'Some pages are missing',
  'two-moments': 'Fitted by two moments',
};

/** A title in words for every warning there is: `hosts-limit` → `Hosts limit` where none is written down. */
export function warningTitle(code: string): string {
  const words = code.replaceAll('-', ' ');
  return titles[code] ?? words[0].toUpperCase() + words.slice(1);
}

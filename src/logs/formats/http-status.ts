/** The status of a fetch as logs write it: a number, with a protocol, a reason or neither, or words. */
import { unknownStatus } from '../../solvers/estimation/index.ts';

const plainNumber = /^-?\d{1,5}(?:\.0+)?$/;
const embeddedNumber = /(?<![\d.])[1-9]\d\d(?:\.0+)?(?![\d.])/;
/** Statuses by words; the first pattern that matches counts. */
const words: readonly (readonly [RegExp, number])[] = [
  [/not.?modified|unchanged/i, 304],
  [/enotfound|name.not.resolved/i, 0],
  [/not.?found/i, 404],
  [/\bgone\b/i, 410],
  [/unauthori[sz]ed/i, 401],
  [/forbidden|blocked|denied|robots/i, 403],
  [/too.?many/i, 429],
  [/internal.?server/i, 500],
  [/bad.?gateway/i, 502],
  [/unavailable/i, 503],
  [/gateway.?time/i, 504],
  [/moved|redirect/i, 301],
  [/error|fail|time.?d?.?out|refused|reset|dns|abort|unreachable|exception/i, 0],
  [/^ok\b|success|fetched/i, unknownStatus],
];

/** 100 to 999, 0 for no answer, unknownStatus for a word that only says that the page was seen; NaN if not understood. */
export function parseStatus(value: string | number): number {
  const number = Number(value);
  if (number >= 100 && number <= 999) return Math.trunc(number);
  const text = String(value).trim();
  // crawlers have codes of their own, below zero or above 999
  if (plainNumber.test(text)) return number < 100 ? 0 : 999;
  const match = embeddedNumber.exec(text);
  if (match !== null) return Math.trunc(Number(match[0]));
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? Number.NaN;
}

/**
 * Every code that `errors[].code` of a 422 can carry, with its meaning. Nothing else is used: the type holds it where
 * the schemas refuse, a test where the solvers do. docs/errors.md is generated from here.
 */

/**
 * Codes that restate the JSON Schema, in zod's words: what is valid against `GET /openapi.json` never meets them.
 */
export const schemaCodes = {
  invalid_type: 'The value is of another type, or not a finite number, or not an integer where one is asked for.',
  required: 'The property is missing.',
  too_small: 'The number is below its least value, or the list or text is too short.',
  too_big: 'The number is above its largest value, or the list, text or object is too long.',
  invalid_value: 'The value is none of those that are listed.',
  invalid_union: 'The value has none of the accepted forms, or its `type`, `model` or the like names none of them.',
  unrecognized_key: 'No such property here; the message names the allowed ones.',
} as const;

/** Codes of conditions that a JSON Schema cannot express: on several properties, or of the model. */
export const conditionCodes = {
  'above-crawlers': 'A target is larger than the number of crawlers.',
  'above-max-interval': 'The shortest interval is longer than the longest.',
  'batch-too-large': 'The record has a batch larger than the process may have; a smaller `batchGap` splits it.',
  'beyond-double-precision':
    'Quantities computed from the values overflow or underflow double precision; the unit is off.',
  'capacity-too-large': 'The capacity is larger than this law of indexing times allows.',
  'crawl-rate-missing': 'A sequence needs the rate at which it is followed.',
  'crawlers-missing': 'With phases, batches, correlated arrivals or a front the number of crawlers must be given.',
  'curve-too-long': 'The curve asks for too many counts.',
  duplicate: 'The same name or position is given twice.',
  'duplicate-mode': 'The same crawler count is given twice.',
  'first-target-zero': 'The first target is 0: a controller that idles on an empty queue never wakes.',
  'frequency-missing': 'Some pages have a frequency of their own and this one has none.',
  'group-missing': 'Groups are asked for and no page names one.',
  'group-not-poisson': 'Pages that change together must change as Poisson processes.',
  'history-missing': 'The page has neither a history nor a rate.',
  'implausible-time':
    'The time cannot be epoch seconds of the past: it lies after `now` or before 1990, often because it is in milliseconds.',
  'jitter-above-half-period': 'Updates that far off their times would lose their order.',
  'load-out-of-range': 'Change rate times mean access time overflows or underflows; the unit of one is off.',
  'mean-not-finite': 'The law has no finite, positive mean.',
  'mean-out-of-range': 'The mean gap between updates is too far from the interval to compute with.',
  'needed-by-queue': 'The queue that the other properties describe needs this one as well.',
  'negative-rate': 'A rate is negative where only the diagonal of D0 may be.',
  'never-wakes': 'With no crawler active in an empty system nothing would ever arrive again.',
  'no-arrivals': 'A mode brings no pages.',
  'no-batch-fits': 'Under complete rejection the smallest batch is larger than the capacity.',
  'no-capacity': 'The capacity is not an integer of at least 1.',
  'no-length': 'Every column is a single value, so that the number of rows is unknown.',
  'no-modes': 'No crawler count is allowed.',
  'no-phases': 'The law has no phases.',
  'no-such-parameter': 'The pointer of the sweep leads to nothing in the request that could be varied.',
  'no-such-page': 'There is no page at that position.',
  'no-weight': 'No page has a positive weight.',
  'not-a-probability': 'The value is not above 0 and at most 1.',
  'not-applicable': 'The property has no effect with, or contradicts, another one that is given.',
  'not-increasing': 'The times do not increase.',
  'not-non-decreasing': 'The thresholds decrease.',
  'not-phase-type': 'A law with a phase-type form is needed; `estimates/service-time` fits one.',
  'not-square': 'The matrix is not square.',
  'objective-not-poisson': 'Another objective than freshness needs pages that change as Poisson processes.',
  'one-of': 'Exactly one of several properties must be given.',
  'out-of-range': 'The value does not fit the others, which set its range.',
  'outside-interval': 'An update time lies outside the interval.',
  'parameter-missing': 'The process of this page needs the parameter.',
  'parameter-not-positive': 'The parameter is not above its least value for the process of this page.',
  'parameter-out-of-range': 'The parameter is not what the process of this page accepts.',
  'phases-differ': 'The modes have different numbers of arrival phases.',
  'rate-out-of-range': 'The rate is too large or too small to compute with; the time unit is off.',
  'rates-too-far-apart': 'The rates differ by so many orders of magnitude that units must be mixed.',
  reducible: 'Some arrival phase is never reached from another.',
  'row-sum': 'A row of a generator does not sum to what it must.',
  'share-missing': 'Pages with a group need the chance with which they change together.',
  'signal-quality-missing': 'Signals of changes need their precision and recall, of the page or of its host.',
  singular: 'From some phase the end is never reached.',
  'sum-not-one': 'Probabilities do not sum to 1.',
  'sum-not-positive': 'The values must have a positive, finite sum.',
  'sweep-value-refused': 'With this value of the sweep the request would be refused; the message says why.',
  'too-deep': 'Arrays and objects lie deeper in each other than in any request.',
  'too-few-checks': 'No page has the two checks that a law of updates is fitted to.',
  'too-few-intervals': 'The record has too few intervals to fit a process to.',
  'too-large': 'The problem has more states than are accepted.',
  'too-large-to-evaluate': 'A policy of this form can be evaluated only on a smaller problem.',
  'too-many-changes': 'The pages of a group change together more often in a replication than can be held.',
  'too-many-crawls': 'So many crawls cannot be given ideal times.',
  'too-many-laws': 'Each law of updates that matter with a chance is prepared by itself, and these are too many.',
  'too-many-modes': 'The arrivals have more modes than are accepted.',
  'too-many-names': 'The body uses more names of properties than all requests together have.',
  'too-many-phases': 'The law or the joint arrival process has more phases than are accepted.',
  'too-many-policies': 'There are more policies than are enumerated.',
  'too-many-slots': 'The crawlers have more slots together than are accepted.',
  'too-many-states': 'The queue has more states than are accepted.',
  'too-much-work': 'One policy of this queue takes too long to evaluate.',
  'too-variable': 'The law is so variable that its curve of staleness cannot be computed.',
  'unequal-lengths': 'Lists that belong together have different lengths.',
  'unequal-shapes': 'Tables that belong together have different numbers of rows or columns.',
  'unknown-mode': 'The arrivals know no mode with this crawler count.',
  'worth-out-of-range': 'Weight and load of the page are too far apart to compute with.',
  'wrong-length': 'The list does not have the length that the capacity or the modes ask for.',
  'wrong-size': 'The matrix does not have the size of the one it belongs to.',
} as const;

/** Every code, with its meaning. */
export const fieldCodes = { ...schemaCodes, ...conditionCodes } as const;

export type FieldCode = keyof typeof fieldCodes;

/** The code of a condition that a solver found not met. */
export function listedCode(code: string): FieldCode {
  return isFieldCode(code) ? code : 'out-of-range';
}

export function isFieldCode(code: unknown): code is FieldCode {
  return typeof code === 'string' && Object.hasOwn(fieldCodes, code);
}

/** Times of what never happens: the age of a page never fetched, and the interval of a page not to be fetched again. */

export const infiniteTime = Number.POSITIVE_INFINITY;

export const isNever = (time: number): boolean => time === infiniteTime;

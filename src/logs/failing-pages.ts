/** Which pages of a log fail at its end, and what is said of them. */

import { failureNotes } from '../schemas/words/failure-notes.ts';
import { checksFromFetches, type FailingPages, failingPages } from '../solvers/estimation/index.ts';
import type { LoggedPage } from './fetch-collector.ts';

export const findFailingPages = (pages: readonly LoggedPage[]): FailingPages =>
  failingPages(
    pages.map(({ host = '', observations }) => {
      const { failing } = checksFromFetches(observations, () => {});
      const { time, length: fetches } = observations;
      return { host, failing, firstFetch: time[0], lastFetch: time[fetches - 1], fetches };
    }),
  );

/** What a preview says of them, in sentences; which pages wait is for the plan to say, which knows from when on. */
export const failureNotesOf = (pages: readonly LoggedPage[]): string[] =>
  failureNotes({ ...findFailingPages(pages), waiting: [] }, (page) => JSON.stringify(pages[page].id));

/** Pages whose last fetches in a log failed. */

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

/** Notes about failing pages for a preview, without those in a retry pause: these depend on the start of the plan. */
export const failureNotesOf = (pages: readonly LoggedPage[]): string[] =>
  failureNotes({ ...findFailingPages(pages), waiting: [] }, (page) => JSON.stringify(pages[page].id));

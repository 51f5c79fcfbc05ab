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

/** Sentences about them for a preview; pages in a retry pause are left to the plan, which knows its start. */
export const failureNotesOf = (pages: readonly LoggedPage[]): string[] =>
  failureNotes({ ...findFailingPages(pages), waiting: [] }, (page) => JSON.stringify(pages[page].id));

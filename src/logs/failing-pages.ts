/** Which pages of a log fail at its end, and what is said of them. */
import { checksFromFetches, type FailingPages, failingPages } from '../solvers/estimation/index.ts';
import { failureNotes } from '../words/failure-notes.ts';
import type { LoggedPage } from './fetch-collector.ts';

export const failingIn = (pages: readonly LoggedPage[]): FailingPages =>
  failingPages(
    pages.map(({ host = '', observations }) => {
      const { lastSeen, failing } = checksFromFetches(observations, () => {});
      const { time, length: fetches } = observations;
      return { host, lastSeen, failing, firstFetch: time[0], lastFetch: time[fetches - 1], fetches };
    }),
  );

/** What a preview says of them, in sentences. */
export const failureNotesOf = (pages: readonly LoggedPage[]): string[] =>
  failureNotes(failingIn(pages), (page) => JSON.stringify(pages[page].id));

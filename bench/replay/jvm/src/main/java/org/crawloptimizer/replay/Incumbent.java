package org.crawloptimizer.replay;

/** A crawler's own schedule, asked as its jobs ask it. Pages are positions, times are epoch seconds. */
interface Incumbent {
  /** Whether the page is fetched at this time. */
  boolean fetches(int page, long time) throws Exception;

  /** The fetch of a page at a time; its content is known by a number. */
  void fetched(int page, long time, int content) throws Exception;
}

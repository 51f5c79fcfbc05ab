package org.crawloptimizer.replay;

/** A crawler's own schedule, asked as its jobs ask it. Pages are positions, times are epoch seconds. */
interface Incumbent {
  /** Whether the page is fetched at this time. */
  boolean fetches(int page, long time) throws Exception;

  /** The fetch of a page at a time; its content is known by a number. */
  void fetched(int page, long time, int content) throws Exception;

  /** What a new plan says of the page, seconds in digits; empty for never. */
  default void planned(int page, String nextFetch, String ifUnchanged, String ifChanged) {
    throw new UnsupportedOperationException("goes by no plan");
  }
}

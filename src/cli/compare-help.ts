/** Help on `compare`. */
export const compareHelp = `crawl-optimizer compare <log ...> [--json]

Reads a crawl log and says what to expect of three rules at as many fetches as the log has: your own as it was, all
pages in turn, and the plan. It is what a model expects of Poisson changes, with the interval that the uncertainty of
the rates leaves; it is no proof. Options of the log are those of plan: crawl-optimizer plan --help.
`;

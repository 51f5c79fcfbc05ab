/** Help on `compare` and `pilot`. */
export const compareHelp = `crawl-optimizer compare <log ...> [--json]

Reads a crawl log and says what to expect of three rules at as many fetches as the log has: your own as it was, all
pages in turn, and the plan. It is what a model expects of Poisson changes, with the interval that the uncertainty of
the rates leaves; it is no proof. Options of the log are those of plan: crawl-optimizer plan --help.
`;

export const pilotHelp = `crawl-optimizer pilot start <log ...> [--now <time>] [--grace 15m] > pilot.json
crawl-optimizer pilot today pilot.json <log ...> [--now <time>] [--interval 1d] [--json] > today.csv
crawl-optimizer pilot probes pilot.json <log ...> > probes.json
crawl-optimizer pilot verdict pilot.json <log ...> [--json]

Tries a plan on half of your pages and proves what it gains on your own traffic.

start    reads the log so far, says what to expect and how long a verdict will probably take, and writes pilot.json.
         Pages are dealt to the arms, or whole hosts where the log shows that pages of a host change together.
         --grace is the longest time from a probe's moment to its fetch; a crawler that works in rounds needs more.
today    writes what to fetch, a line each (CSV: time, page, why; JSON lines with --json): 'plan' for the pages of the
         plan, 'probe' for the probes of both arms. Pages named 'yours' are left to your own rule, and no others.
probes   writes the request for estimates/freshness: open it in the console to see how freshness went.
verdict  reads the log since, or the probes that an integration noted, and says take over, roll back or go on. Look as
         often as you like.

Nothing is kept but pilot.json and your log. Options of the log are those of plan: crawl-optimizer plan --help.
`;

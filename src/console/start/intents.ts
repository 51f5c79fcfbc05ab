/** What people come with, and the questions that take it. */

export interface Intent {
  readonly title: string;
  readonly about: string;
  /** The first is where the title leads. */
  readonly operations: readonly string[];
  /** What the first one is called here; otherwise its own title. */
  readonly action?: string;
  /** Whether a log can be opened from here. */
  readonly takesLog?: boolean;
}

export const intents: readonly Intent[] = [
  {
    title: 'I have a crawl log',
    about:
      'Lines with a page, a time and what was seen. You get how often each page changes, how often to fetch it, and the next fetches in order.',
    operations: ['crawl-plan', 'estimates/change-rates', 'estimates/update-process'],
    action: 'Plan the next crawls',
    takesLog: true,
  },
  {
    title: 'I have change rates',
    about: 'How often each page changes, and what a stale copy of it costs. You get how to share out the crawls.',
    operations: ['access-frequencies', 'crawl-allocation', 'access-sequence', 'slot-assignment'],
  },
  {
    title: 'I have a queue',
    about:
      'Crawlers that fill the queue of an indexer. You get how many to run, and when to stop and start them, against lost pages and an idle indexer.',
    operations: ['crawler-count', 'threshold-policy', 'activation-policy', 'estimates/service-time'],
  },
  {
    title: 'Show me an example',
    about: 'A handful of pages and twenty-four crawls a day: a small plan to look at and to change.',
    operations: ['crawl-plan'],
    action: 'Open the example',
  },
];

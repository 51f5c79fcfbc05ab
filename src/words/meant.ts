/**
 * What a caller meant by a word that is not known where it stands. It is the new word for an old one, the contract's
 * word for a usual synonym, or the nearest spelling. Nothing is accepted under another name; the refusal says which
 * name is.
 */
import { suggestions } from './suggest.ts';

/**
 * Words of earlier contracts, and what stands in their place: the first whose head is allowed where the old word was
 * found. A word that is gone has a sentence that says so, and one that stands elsewhere a sentence that says where.
 */
const oldWords: Readonly<Record<string, readonly string[] | string>> = {
  indexing: ['service'],
  indexingRate: ['service'],
  starvationWeight: ['costs.starvation'],
  crawlerCost: ['costs.crawler'],
  maxCrawlers: ['crawlers'],
  curve: ['evaluate'],
  targets: ['evaluate.targets'],
  policy: ['evaluate'],
  quantiles: ['measures.response.quantiles'],
  times: ['measures.response.times'],
  transformAt: ['measures.response.transformAt'],
  search: ['options.search'],
  horizon: ['planFor', 'duration'],
  floor: ['evenShare'],
  budget: ['spending'],
  share: ['commonChanges'],
  costIfChanged: ['cost.changed'],
  windowItems: ['feed.items'],
  lossProbability: ['feed.loss'],
  precision: 'precision stands at hosts: {"host": …, "precision": …}',
  recall: 'recall stands at hosts: {"host": …, "recall": …}',
  estimator: 'estimator is gone: every page with a history has one kind of estimate',
  exploration: 'exploration is gone as an option: it is always on',
  bursts: 'bursts is gone: replays showed no gain',
  groups: 'groups is gone: replays showed no gain',
  group: 'group is gone: pages of a host are a group',
  rhythm: 'rhythm is gone: replays showed no gain',
  peak: 'peak is gone: replays showed no gain',
  algorithm: 'algorithm is gone: there is one method',
  tolerance: 'tolerance is gone: answers are proved to a fixed tolerance',
  relaxation: 'relaxation is gone with relative value iteration',
  fibonacciIndex: 'fibonacciIndex is gone: give cycleLength, the Fibonacci number itself',
  adaptive: ['rule'],
  meanDelay: 'crawl-allocation and crawl-plan answer meanDelay, with objective delay',
  meanAge: 'crawl-allocation and crawl-plan answer meanAge, with objective age',
  harmonic: 'crawl-allocation and crawl-plan answer harmonic, with objective harmonic',
  repairDiagonal: 'repairDiagonal is gone: send the matrix that the refusal proposes',
};

/** What others call the contract's fields. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  url: ['id', 'host'],
  uri: ['id'],
  link: ['id'],
  name: ['id', 'host'],
  domain: ['host'],
  site: ['host'],
  priority: ['weight'],
  importance: ['weight'],
  lambda: ['changeRate', 'rate', 'crawlerRate'],
  rate: ['changeRate'],
  delay: ['minDelay'],
  crawlDelay: ['minDelay'],
  fetches: ['crawls'],
  fetchInterval: ['minInterval', 'maxInterval'],
  timezone: ['timeZone'],
  tz: ['timeZone'],
  seed: ['options.seed'],
  timeLimitMs: ['options.timeLimitMs'],
  timeout: ['options.timeLimitMs'],
};

const bare = (word: string): string => word.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();

const head = (name: string): string => name.replace(/\..*$/, '');

const fitting = (names: readonly string[], allowed: readonly string[]): string | undefined =>
  names.find((name) => allowed.includes(head(name)));

/** A longer word is no misspelling. */
const longest = 60;

/**
 * What is said of a word that is none of `allowed`: a clause for the end of a message, or nothing where nobody can
 * tell. `change_rate` → `did you mean changeRate?`
 */
export function meant(word: string, allowed: readonly string[]): string {
  if (word.length > longest) return '';
  const old = Object.hasOwn(oldWords, word) ? oldWords[word] : undefined;
  if (typeof old === 'string') return old;
  const renamed = old && fitting(old, allowed);
  if (renamed !== undefined) return `${word} is called ${renamed} now`;
  const same = allowed.find((name) => bare(name) === bare(word));
  const camel =
    bare(word) === word.toLowerCase() ? word : word.replaceAll(/[_-]+(\w)/g, (_, c: string) => c.toUpperCase());
  const synonym = Object.hasOwn(synonyms, camel) ? fitting(synonyms[camel], allowed) : undefined;
  const [nearest = synonym] = same === undefined ? nearestOf(word, allowed, synonym) : [same];
  return nearest === undefined ? '' : `did you mean ${nearest}?`;
}

/** A synonym is what was meant before any word that is only spelled alike. */
const nearestOf = (word: string, allowed: readonly string[], synonym: string | undefined): readonly string[] =>
  synonym === undefined ? suggestions(word, allowed) : [synonym];

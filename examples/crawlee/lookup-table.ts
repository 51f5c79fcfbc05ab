/**
 * The lookup tables of crawl-optimizer, as one list: how many crawlers may be active at each length of the indexing
 * queue. activation-policy gives it as `targets`, threshold-policy as `crawlersByQueueLength`.
 */

export interface ActivationQuestion {
  /** Pages a crawler brings a second, when active. */
  readonly crawlerRate: number;
  /** Pages the engine indexes a second. */
  readonly indexingRate: number;
  readonly capacity: number;
  readonly starvationWeight: number;
  /** Number of crawlers. */
  readonly crawlers: number;
}

interface PolicyAnswer {
  readonly status: string;
  readonly solution: { readonly targets?: readonly number[]; readonly crawlersByQueueLength?: readonly number[] };
}

function isAnswer(value: unknown): value is PolicyAnswer {
  return typeof value === 'object' && value !== null && 'solution' in value && typeof value.solution === 'object';
}

async function ask(service: string, operation: string, question: object): Promise<readonly number[]> {
  const response = await fetch(new URL(`/v1/${operation}`, service), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  const answer: unknown = await response.json();
  if (!response.ok || !isAnswer(answer)) throw new Error(`${operation}: ${response.status} ${JSON.stringify(answer)}`);
  const table = answer.solution.targets ?? answer.solution.crawlersByQueueLength;
  if (table === undefined) throw new Error(`${operation} answered ${answer.status} without a table`);
  return table;
}

/** How many crawlers may be active at each queue length 0..capacity, for exponential times. */
export const activationTable = (service: string, question: ActivationQuestion): Promise<readonly number[]> =>
  ask(service, 'activation-policy', question);

/** The table from threshold-policy, whose request describes arrivals and costs. */
export const thresholdTable = (service: string, question: object): Promise<readonly number[]> =>
  ask(service, 'threshold-policy', question);

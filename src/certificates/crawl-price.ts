/**
 * A price for a histogram of pages: within its bracket, hosts within their limits at prices not below it, the crawls it
 * is for, and after feedback the next price by the formula of docs/how-to/crawling-by-a-price.md. What buckets do at
 * the price is not computed again.
 */
import type { Findings } from './findings.ts';
import { targetOf } from './page-costs.ts';
import { isObject, listIn, numberIn, numbersIn, objectAt, textIn, type WireObject } from './wire.ts';

export function checkPrice(request: WireObject, answer: WireObject, findings: Findings): void {
  const solution = objectAt(answer, 'solution');
  const price = numberIn(solution, 'price', 0);
  if (isObject(request.feedback)) {
    findings.compare('solution.price', price, nextPrice(request.feedback));
    return;
  }
  const [low, high] = numbersIn(solution, 'priceBracket');
  if (!(low <= price && price <= high)) findings.fault(`the price ${price} is not within ${low} to ${high}`);
  const most = new Map(
    listIn(request, 'hosts', true).map((host) => [textIn(objectAt(host), 'host'), numberIn(objectAt(host), 'maxRate')]),
  );
  for (const each of listIn(solution, 'hosts', true)) {
    const reported = objectAt(each);
    const [name, own, rate] = [textIn(reported, 'host'), numberIn(reported, 'price'), numberIn(reported, 'rate')];
    const limit = most.get(name) ?? 0;
    findings.expect('solution.hosts.rate', rate <= limit * (1 + 1e-6), `host ${name} has ${rate}, above its ${limit}`);
    findings.expect('solution.hosts.price', own >= price * (1 - 1e-9), `host ${name} pays ${own}, less than ${price}`);
  }
  if (targetOf(request) !== null) {
    const { value } = objectAt(answer, 'objective');
    findings.compare('objective.value', value, numberIn(solution, 'crawls'));
    findings.compare('solution.crawls', solution.crawls, Number(value));
  } else if (solution.rate !== undefined) {
    const wantedRate = numberIn(request, 'rate', numberIn(request, 'crawls', 0) / numberIn(request, 'interval', 1));
    findings.compare('solution.rate', solution.rate, wantedRate);
  }
}

/** In logarithms. */
function nextPrice(feedback: WireObject): number {
  const [price, seen, wanted, pages] = ['price', 'seen', 'wanted', 'pages'].map((name) => numberIn(feedback, name));
  const half = Math.min(0.5, wanted / pages / 4);
  const aimed = wanted - half * numberIn(feedback, 'ahead', 0);
  const within = (value: number, middle: number): number => Math.max(middle / 5, Math.min(middle * 5, value));
  const ratio = (seen + 0.5) / (within(aimed, wanted) + 0.5);
  return Math.exp(Math.log(price) + 2 * half * Math.log(within(ratio, 1)));
}

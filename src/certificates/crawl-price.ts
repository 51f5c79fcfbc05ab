/**
 * A price for a histogram of pages: the price lies within its bracket, hosts keep their limits at prices not below it,
 * the number of crawls is right, and after feedback the next price follows from the formula of
 * docs/how-to/crawling-by-a-price.md. The crawls and costs of buckets at the price are not computed again.
 */
import type { Findings } from './findings.ts';
import { targetOf } from './page-costs.ts';
import { isObject, readList, readNumber, readNumbers, readObject, readText, type WireObject } from './wire.ts';

export function checkPrice(request: WireObject, answer: WireObject, findings: Findings): void {
  const solution = readObject(answer, 'solution');
  const price = readNumber(solution, 'price', 0);
  if (isObject(request.feedback)) {
    findings.compare('solution.price', price, nextPrice(request.feedback));
    return;
  }
  const [low, high] = readNumbers(solution, 'priceBracket');
  if (!(low <= price && price <= high)) findings.fault(`the price ${price} is not within ${low} to ${high}`);
  const maxRates = new Map(
    readList(request, 'hosts', true).map((host) => [
      readText(readObject(host), 'host'),
      readNumber(readObject(host), 'maxRate'),
    ]),
  );
  for (const item of readList(solution, 'hosts', true)) {
    const host = readObject(item);
    const [name, own, rate] = [readText(host, 'host'), readNumber(host, 'price'), readNumber(host, 'rate')];
    const limit = maxRates.get(name) ?? 0;
    findings.expect('solution.hosts.rate', rate <= limit * (1 + 1e-6), `host ${name} has ${rate}, above its ${limit}`);
    findings.expect('solution.hosts.price', own >= price * (1 - 1e-9), `host ${name} pays ${own}, less than ${price}`);
  }
  if (targetOf(request) !== null) {
    const { value } = readObject(answer, 'objective');
    findings.compare('objective.value', value, readNumber(solution, 'crawls'));
    findings.compare('solution.crawls', solution.crawls, Number(value));
  } else if (solution.rate !== undefined) {
    const meanRate = readNumber(request, 'crawls', 0) / readNumber(request, 'interval', 1);
    findings.compare('solution.rate', solution.rate, readNumber(request, 'rate', meanRate));
  }
}

/** The next price by the feedback rule, computed in logarithms. */
function nextPrice(feedback: WireObject): number {
  const [price, fetches, fetchGoal, pages] = ['price', 'seen', 'wanted', 'pages'].map((name) =>
    readNumber(feedback, name),
  );
  const half = Math.min(0.5, fetchGoal / pages / 4);
  const target = fetchGoal - half * readNumber(feedback, 'ahead', 0);
  const clampAround = (value: number, middle: number): number => Math.max(middle / 5, Math.min(middle * 5, value));
  const ratio = (fetches + 0.5) / (clampAround(target, fetchGoal) + 0.5);
  return Math.exp(Math.log(price) + 2 * half * Math.log(clampAround(ratio, 1)));
}

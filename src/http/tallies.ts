/**
 * Counters and histograms of requests, in Prometheus' text format. A client library looks up and checks the labels with
 * every count, which takes a small request as long as its solve; here a place is found once, and counting is an
 * addition.
 */
interface Description {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** Values by their labels; the places are kept in the order in which they were first asked for. */
abstract class Tallies<Place> {
  protected readonly description: Description;
  readonly #places = new Map<string, { readonly labels: string; readonly place: Place }>();

  constructor(description: Description) {
    this.description = description;
  }

  /** The place of these values of the labels; the same object for the same values. */
  of(...values: string[]): Place {
    const key = values.length === 1 ? values[0] : values.join('\n');
    const known = this.#places.get(key);
    if (known !== undefined) return known.place;
    const { labelNames } = this.description;
    const labels = labelNames.map((name, i) => `${name}="${escaped(values[i])}"`).join(',');
    const place = this.make();
    this.#places.set(key, { labels, place });
    return place;
  }

  /** The lines of this metric. */
  text(): string {
    const { name, help } = this.description;
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${this.type}`];
    for (const { labels, place } of this.#places.values()) lines.push(...this.lines(labels, place));
    return `${lines.join('\n')}\n`;
  }

  protected abstract readonly type: string;
  protected abstract make(): Place;
  protected abstract lines(labels: string, place: Place): string[];
}

const escaped = (value: string): string => value.replaceAll(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`));

/** How often something has happened. */
export class Count {
  value = 0;
}

export class Counters extends Tallies<Count> {
  protected readonly type = 'counter';

  protected make(): Count {
    return new Count();
  }

  protected lines(labels: string, { value }: Count): string[] {
    return [`${this.description.name}{${labels}} ${value}`];
  }
}

/** How many values were at most each bound, and their sum. */
export class Spread {
  readonly bounds: readonly number[];
  /** Of the values above the bound before and not above this one; the last place is for those above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.bounds.length && value > this.bounds[at]) at++;
    this.counts[at]++;
    this.sum += value;
  }
}

export class Histograms extends Tallies<Spread> {
  protected readonly type = 'histogram';
  readonly #bounds: readonly number[];

  /** @param bounds ascending; what is above all of them is counted as well */
  constructor(description: Description, bounds: readonly number[]) {
    super(description);
    this.#bounds = bounds;
  }

  protected make(): Spread {
    return new Spread(this.#bounds);
  }

  protected lines(labels: string, { bounds, counts, sum }: Spread): string[] {
    const { name } = this.description;
    const lines: string[] = [];
    let below = 0;
    for (let i = 0; i < counts.length; i++) {
      below += counts[i];
      lines.push(`${name}_bucket{le="${bounds[i] ?? '+Inf'}",${labels}} ${below}`);
    }
    return [...lines, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${below}`];
  }
}

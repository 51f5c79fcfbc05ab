/**
 * Gives the schemas of a document names. Every object, every choice between objects, every list of words and every
 * tuple becomes a component, which is written once and referred to. A schema may say its own name: `x-component`, or
 * `x-class` where only generated classes need one and the documents spell it out. The others are called after the
 * operation and the property that holds them. Schemas that differ only in annotations share a component.
 */

export type Json = Record<string, unknown>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemaPrefix = '#/components/schemas/';

/** The operation whose schema it is, for the names of its parts. */
interface Owner {
  /** `CrawlPlan`, as the names of its components begin. */
  readonly operation: string;
  readonly part: 'Request' | 'Answer';
}

/** Where a component is used, and what it would be called there. */
interface Use extends Owner {
  readonly local: string;
  /** The property around it. */
  readonly around: string;
}

interface Component {
  readonly schema: Json;
  readonly uses: Use[];
  /** The schema's own name, from `x-component`. */
  readonly given?: string;
}

/** Annotations stay at the reference to a component; all else is the component. */
const isAnnotation = (name: string): boolean => name === 'description' || name === 'default' || name.startsWith('x-');

const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const singular = (name: string): string =>
  /(ss|us|is)$/.test(name)
    ? name
    : name
        .replace(/ies$/, 'y')
        .replace(/sses$/, 'ss')
        .replace(/([^s])s$/, '$1');

/** `crawl-plan` → `CrawlPlan`, `estimates/change-rates` → `ChangeRates`, `simulations/queue` → `QueueSimulation`. */
export function componentPrefix(operation: string): string {
  const [folder, last] = operation.includes('/') ? operation.split('/') : ['', operation];
  return folder === 'simulations' ? `${singular(pascal(last))}Simulation` : pascal(last);
}

/** Collects the components of a document's schemas. */
export class Components {
  readonly #byContent = new Map<string, Component>();
  readonly #all: Component[] = [];

  /** The schema of a whole request or answer, as a reference to its component. */
  root(schema: Json, owner: Owner): Json {
    const { operation, part } = owner;
    const name = schema['x-component'] ?? `${operation}${part}`;
    return this.#walk({ ...schema, 'x-component': name }, { ...owner, local: part, around: '' });
  }

  /** Names all that was collected; call it once, when no schema is to come. */
  named(): { readonly schemas: Json; rewrite(value: unknown): unknown } {
    const names = this.#names();
    const rewrite = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(rewrite);
      if (!isJson(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => {
          const place = typeof inner === 'string' ? /^@(\d+)$/.exec(inner)?.[1] : undefined;
          return [key, place === undefined ? rewrite(inner) : `${schemaPrefix}${names[Number(place)]}`];
        }),
      );
    };
    const schemas = Object.fromEntries(this.#all.map(({ schema }, i) => [names[i], rewrite(schema)]));
    return { schemas, rewrite };
  }

  #walk({ 'x-class': className, ...own }: Json, place: Use): Json {
    const schema = className === undefined ? own : { 'x-component': className, ...own };
    if (typeof schema.$ref === 'string') return schema;
    const given = schema['x-component'];
    const use = typeof given === 'string' && place.local !== place.part ? { ...place, local: given } : place;
    const walked: Json = {};
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'properties' && isJson(value)) walked.properties = this.#properties(value, use);
      else if ((name === 'anyOf' || name === 'oneOf') && Array.isArray(value)) {
        Object.assign(walked, this.#choice(name, value, use));
      } else if (isJson(value) && (name === 'items' || name === 'additionalProperties')) {
        walked[name] = this.#walk(value, { ...use, local: singular(use.local) });
      } else if (name === 'prefixItems' && Array.isArray(value)) {
        walked[name] = value.map((item) => (isJson(item) ? this.#walk(item, use) : item));
      } else walked[name] = value;
    }
    const isChoice = walked.discriminator !== undefined || this.#isChoiceOfObjects(walked);
    const isWords = walked.type === 'string' && Array.isArray(walked.enum);
    const isTuple = Array.isArray(walked.prefixItems);
    const isOwn = isJson(walked.properties) || isChoice || isWords || isTuple || given !== undefined;
    return isOwn ? this.#component(walked, use) : walked;
  }

  #properties(properties: Json, use: Use): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        name,
        isJson(value) ? this.#walk(value, { ...use, local: pascal(name), around: use.local }) : value,
      ]),
    );
  }

  /** A choice between forms; objects that one constant property distinguishes get it as discriminator. */
  #choice(keyword: string, forms: readonly unknown[], use: Use): Json {
    const untagged = forms.filter((form) => isJson(form) && isJson(form.properties) && form.title !== 'Columns');
    const walked = forms.map((form) => {
      if (!isJson(form)) return form;
      return this.#walk(form, { ...use, local: formName(form, use.local, untagged.length) });
    });
    const discriminator = this.#discriminator(walked);
    return discriminator === undefined ? { [keyword]: walked } : { oneOf: walked, discriminator };
  }

  #discriminator(forms: readonly unknown[]): Json | undefined {
    const tags = forms.map((form) => {
      const component = this.#referred(form);
      return component === undefined ? undefined : tagOf(component.schema);
    });
    const [first] = tags;
    if (first === undefined || tags.length < 2) return undefined;
    if (!tags.every((tag) => tag !== undefined && tag.property === first.property)) return undefined;
    const mapping = forms.flatMap((form, i) => {
      const value = tags[i]?.value;
      return isJson(form) && value !== undefined ? [[value, form.$ref]] : [];
    });
    return { propertyName: first.property, mapping: Object.fromEntries(mapping) };
  }

  #referred(form: unknown): Component | undefined {
    const place = isJson(form) ? /^@(\d+)$/.exec(String(form.$ref))?.[1] : undefined;
    return place === undefined ? undefined : this.#all[Number(place)];
  }

  #isChoiceOfObjects({ anyOf, oneOf }: Json): boolean {
    const forms = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
    return forms.filter((form) => this.#referred(form) !== undefined).length > 1;
  }

  /** The reference to a component with this content, and the annotations of this use. */
  #component(schema: Json, use: Use): Json {
    const annotations = Object.entries(schema).filter(([name]) => isAnnotation(name) && name !== 'x-component');
    const content = Object.fromEntries(Object.entries(schema).filter(([name]) => !isAnnotation(name)));
    const given = typeof schema['x-component'] === 'string' ? schema['x-component'] : undefined;
    const key = `${given ?? ''} ${JSON.stringify(content)}`;
    let component = this.#byContent.get(key);
    if (component === undefined) {
      const description =
        typeof schema.description === 'string' && given !== undefined ? schema.description : undefined;
      const whole = description === undefined ? content : { description, ...content };
      component = { schema: whole, uses: [], ...(given !== undefined && { given }) };
      this.#byContent.set(key, component);
      this.#all.push(component);
    }
    component.uses.push(use);
    const { description } = component.schema;
    const ofUse = annotations.filter(([name, value]) => name !== 'description' || value !== description);
    return { $ref: `@${this.#all.indexOf(component)}`, ...Object.fromEntries(ofUse) };
  }

  /** A name for each component: its own, else its place's, as short as tells it from the others. */
  #names(): string[] {
    const taken = new Set<string>();
    const names: string[] = new Array(this.#all.length).fill('');
    const take = (i: number, candidates: readonly string[]): void => {
      const free = candidates.find((name) => !taken.has(name));
      let name = free ?? candidates[candidates.length - 1];
      for (let k = 2; free === undefined && taken.has(name); k++) name = `${candidates[candidates.length - 1]}${k}`;
      taken.add(name);
      names[i] = name;
    };
    for (const [i, { given, uses }] of this.#all.entries()) {
      if (given !== undefined) take(i, [given, `${uses[0].operation}${given}`, `${uses[0].operation}${given}Answer`]);
    }
    for (const [i, { given, uses }] of this.#all.entries()) {
      if (given !== undefined) continue;
      const [{ operation, local, around, part }] = uses;
      const own = local.startsWith(operation) ? local : `${operation}${local}`;
      const shared = uses.some((use) => use.operation !== operation);
      const inside = `${operation}${singular(around)}${local}`;
      take(i, [...(shared ? [local] : []), own, ...(part === 'Answer' ? [`${own}Answer`] : []), inside]);
    }
    return names;
  }
}

/** The constant property that distinguishes an object from the other forms, such as `type`. */
function tagOf({ properties }: Json): { readonly property: string; readonly value: string } | undefined {
  for (const [property, schema] of Object.entries(isJson(properties) ? properties : {})) {
    if (isJson(schema) && typeof schema.const === 'string') return { property, value: schema.const };
  }
  return undefined;
}

/** What one form of a choice is called: after its tag, else after its first property where others have none either. */
function formName(form: Json, local: string, objects: number): string {
  if (form.title === 'Columns') return `${singular(local)}Columns`;
  const tag = tagOf(form);
  if (tag !== undefined) return `${pascal(tag.value)}${local}`;
  const [first] = Object.keys(isJson(form.properties) ? form.properties : {});
  return objects > 1 && first !== undefined ? `${local}${pascal(first)}` : local;
}

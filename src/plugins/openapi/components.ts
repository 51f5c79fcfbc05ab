/**
 * Names for the schemas of a document: each object, choice between objects, list of words and tuple is written once and
 * referred to. A schema may have its own name: `x-component`, or `x-class` where only generated classes need one. The
 * others are called after their operation and the property that holds them, or its whole path where that name is taken.
 */

export type Json = Record<string, unknown>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a schema stands: its operation, what its name begins with, its property, and the path to there. */
interface Place {
  readonly operation: string;
  readonly prefix: string;
  readonly local: string;
  readonly path: string;
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

export class Components {
  readonly schemas: Record<string, Json> = {};
  /** The names by what they stand for: equal schemas share one, unless they have names of their own. */
  readonly #names = new Map<string, string>();

  /** The schema of a whole request or answer, as a reference to its component. */
  root(schema: Json, operation: string, part: 'Request' | 'Answer'): Json {
    const { 'x-component': ownName = `${operation}${part}`, ...own } = schema;
    return this.#refer(own, { operation, prefix: operation, local: part, path: '' }, [String(ownName)]);
  }

  #walk(schema: Json, place: Place): Json {
    const { 'x-class': className, 'x-component': ownName = className, ...own } = schema;
    if (typeof own.$ref === 'string') return schema;
    // A schema with a name of its own is one component: its parts are named after it, not after the place that uses it.
    if (typeof ownName !== 'string') return this.#refer(own, place);
    const { operation } = place;
    const names = [ownName, `${operation}${ownName}`, `${operation}${ownName}Answer`];
    return this.#refer(own, { operation, prefix: '', local: ownName, path: ownName }, names);
  }

  /** The schema with references for its parts, or where it has a name itself a reference to it. */
  #refer(schema: Json, place: Place, ownNames: readonly string[] = []): Json {
    const walk = (value: unknown, at: Place): unknown => (isJson(value) ? this.#walk(value, at) : value);
    const childPlace = (name: string): Place => ({
      ...place,
      local: pascal(name),
      path: `${place.path}${pascal(name)}`,
    });
    const item = { ...place, local: singular(place.local), path: singular(place.path) };
    const result: Json = {};
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'properties' && isJson(value)) {
        const properties = Object.entries(value).map(([property, each]) => [
          property,
          walk(each, childPlace(property)),
        ]);
        result.properties = Object.fromEntries(properties);
      } else if ((name === 'anyOf' || name === 'oneOf') && Array.isArray(value)) {
        Object.assign(result, this.#choice(name, value, place));
      } else if (name === 'items' || name === 'additionalProperties') result[name] = walk(value, item);
      else if (name === 'prefixItems' && Array.isArray(value)) result[name] = value.map((each) => walk(each, item));
      else result[name] = value;
    }
    const { anyOf, oneOf = anyOf } = result;
    const isChoice = Array.isArray(oneOf) && oneOf.filter((form) => this.#referred(form) !== undefined).length > 1;
    const isOwn =
      isJson(result.properties) || isChoice || Array.isArray(result.enum) || Array.isArray(result.prefixItems);
    if (ownNames.length > 0) return this.#add(result, ownNames, ownNames[0]);
    if (!isOwn) return result;
    const { prefix, local, path } = place;
    const isWhole = ['Request', 'Answer'].includes(local);
    const names = [...(isWhole ? [] : [`${prefix}${local}`]), `${prefix}${path}`, `${prefix}${path}Answer`];
    return this.#add(result, names);
  }

  /** A choice between forms; objects that one constant property distinguishes get it as discriminator. */
  #choice(keyword: string, forms: readonly unknown[], place: Place): Json {
    const objects = forms.filter((form) => isJson(form) && isJson(form.properties) && form.title !== 'Columns').length;
    const references = forms.map((form) => {
      if (!isJson(form)) return form;
      const local = formName(form, place.local, objects);
      return this.#walk(form, { ...place, local, path: formName(form, place.path, objects) });
    });
    const tags = references.map((form) => tagOf(this.#referred(form) ?? {}));
    const [first] = tags;
    if (first === undefined || tags.length < 2 || tags.some((tag) => tag?.property !== first.property)) {
      return { [keyword]: references };
    }
    const mapping = references.flatMap((form, i) => (isJson(form) ? [[tags[i]?.value, form.$ref]] : []));
    const discriminator = { propertyName: first.property, mapping: Object.fromEntries(mapping) };
    return { oneOf: references, discriminator };
  }

  #referred(form: unknown): Json | undefined {
    return isJson(form) ? this.schemas[String(form.$ref).replace('#/components/schemas/', '')] : undefined;
  }

  /** The reference to a component, with the annotations of this use; it gets the first of the names that is free. */
  #add(schema: Json, names: readonly string[], given = ''): Json {
    const content = contentOf(schema);
    const isFree = (name: string): boolean =>
      this.schemas[name] === undefined || contentOf(this.schemas[name]) === content;
    const name = this.#names.get(given + content) ?? names.find(isFree);
    if (name === undefined) throw new Error(`two schemas would be called ${names.join(' or ')}: give one an x-class`);
    // What has a name of its own is described once: a use says only what is special about it.
    const { description = given === '' ? undefined : schema.description } = this.schemas[name] ?? {};
    this.schemas[name] = { ...(description !== undefined && { description }), ...JSON.parse(content) };
    this.#names.set(given + content, name);
    const annotations = Object.entries(schema).filter(
      ([each, value]) => isAnnotation(each) && !(each === 'description' && value === description),
    );
    return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(annotations) };
  }
}

/** All of a schema but its annotations, as text. */
const contentOf = (schema: Json): string =>
  JSON.stringify(Object.fromEntries(Object.entries(schema).filter(([name]) => !isAnnotation(name))));

/** The constant property that distinguishes an object from the other forms, such as `type`. */
function tagOf({ properties }: Json): { readonly property: string; readonly value: string } | undefined {
  for (const [property, schema] of Object.entries(isJson(properties) ? properties : {})) {
    if (isJson(schema) && typeof schema.const === 'string') return { property, value: schema.const };
  }
  return undefined;
}

/** What one form of a choice is called: after its tag, else after its first property where others have none either. */
function formName(form: Json, name: string, objects: number): string {
  if (form.title === 'Columns') return `${singular(name)}Columns`;
  const tag = tagOf(form);
  if (tag !== undefined) return `${pascal(tag.value)}${name}`;
  const [first] = Object.keys(isJson(form.properties) ? form.properties : {});
  return objects > 1 && first !== undefined ? `${name}${pascal(first)}` : name;
}

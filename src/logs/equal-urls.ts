/**
 * URLs that are written differently and are equal by RFC 3986, section 6.2. They differ in letters of scheme and host,
 * the scheme's own port, an empty path, dot segments, hexadecimal digits of escapes, escapes of unreserved characters.
 * A fragment names a part of the same page.
 */

const absolute = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Characters that no escape changes the meaning of (RFC 3986, section 2.3). */
const unreserved = /^[\w.~-]$/;

/** The one form of a URL; every other text as it is. */
function commonForm(text: string): string {
  if (!absolute.test(text)) return text;
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = '';
  return url.href.replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return unreserved.test(character) ? character : octet.toUpperCase();
  });
}

/** So many are named of those that were joined. */
const mostExamples = 3;

/** Gives pages one name each: the first in which each was written. */
export class PageNames {
  readonly #first = new Map<string, string>();
  readonly #named = new Map<string, string>();
  #joined = 0;
  readonly #examples: string[] = [];

  /** The name of the page that is written so. */
  of(text: string): string {
    const known = this.#named.get(text);
    if (known !== undefined) return known;
    const form = commonForm(text);
    const first = this.#first.get(form);
    const name = first ?? text;
    if (first === undefined) this.#first.set(form, text);
    else if (this.#joined++ < mostExamples) this.#examples.push(`${JSON.stringify(text)} is ${JSON.stringify(first)}`);
    this.#named.set(text, name);
    return name;
  }

  /** What was joined, in a sentence; nothing where no page was. */
  get notes(): string[] {
    if (this.#joined === 0) return [];
    const [many, are] = this.#joined === 1 ? ['1 URL', 'is'] : [`${this.#joined} URLs`, 'are'];
    const more = this.#joined > mostExamples ? ', …' : '';
    return [
      `${many} ${are} joined with equal ones (RFC 3986), under the spelling that came first: ${this.#examples.join(', ')}${more}.`,
    ];
  }
}

/** The host that an address names, in small letters, without a user; undefined where it is no address. */
export const hostOf = (id: string): string | undefined =>
  /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(id)?.[1].toLowerCase();

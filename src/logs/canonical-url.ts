/**
 * URLs that are written differently and are equal by RFC 3986, section 6.2. They differ in letters of scheme and host,
 * the scheme's own port, an empty path, dot segments, hexadecimal digits of escapes, escapes of unreserved characters,
 * and names of hosts in Unicode. A fragment names a part of the same page.
 */

const absolute = /^[a-z][a-z0-9+.-]*:\/\//i;
const session = /[;?&](?:jsessionid|phpsessid|aspsessionid\w*|sessionid|session_id|sid|cfid|cftoken)=[\w-]{6,}/i;

/** Characters that no escape changes the meaning of (RFC 3986, section 2.3). */
const unreserved = /^[\w.~-]$/;

/** The one form of a URL; every other text as it is. */
export function canonicalUrl(text: string, keepFragments = false): string {
  if (!absolute.test(text)) return text;
  const url = URL.parse(text);
  if (url === null) return text;
  if (!keepFragments) url.hash = '';
  return url.href.replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return unreserved.test(character) ? character : octet.toUpperCase();
  });
}

/** Of those that were joined, this many are named. */
const mostExamples = 3;

/** Numbers pages by their first appearance, under the name in which each was written first. */
export class PageNames {
  readonly ids: string[] = [];
  readonly #byForm = new Map<string, number>();
  readonly #byText = new Map<string, number>();
  readonly #keepFragments: boolean;
  readonly #joined: string[] = [];
  #joinedCount = 0;
  #routes = 0;
  #routeExample = '';
  #sessions = 0;
  #sessionExample = '';

  constructor(keepFragments = false) {
    this.#keepFragments = keepFragments;
  }

  /** The position of the page that is written so. */
  positionOf(text: string): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    // A copy: what was cut from a longer text would keep all of it.
    const own: string = JSON.parse(JSON.stringify(text));
    const form = canonicalUrl(own, this.#keepFragments);
    let position = this.#byForm.get(form);
    if (session.test(own) && this.#sessions++ === 0) this.#sessionExample = own;
    if (position === undefined) {
      position = this.ids.length;
      this.ids.push(own);
      this.#byForm.set(form, position);
    } else {
      if (this.#joinedCount++ < mostExamples)
        this.#joined.push(`${JSON.stringify(own)} is ${JSON.stringify(this.ids[position])}`);
      if (/#[!/]/.test(own) && this.#routes++ === 0) this.#routeExample = own;
    }
    this.#byText.set(own, position);
    return position;
  }

  /** What was joined, and what may be the same or another page, in sentences. */
  get notes(): string[] {
    const notes: string[] = [];
    const one = this.#joinedCount === 1;
    if (this.#joinedCount > 0) {
      const more = this.#joinedCount > mostExamples ? ', …' : '';
      notes.push(
        `${one ? '1 URL is' : `${this.#joinedCount} URLs are`} joined with equal ones (RFC 3986), under the spelling that came first: ${this.#joined.join(', ')}${more}.`,
      );
    }
    if (this.#routes > 0)
      notes.push(
        `${this.#routes} of them may be pages of an application that routes by fragments, such as ${JSON.stringify(this.#routeExample)}: --fragments keep makes each a page.`,
      );
    if (this.#sessions > 0)
      notes.push(
        `${this.#sessions} URLs have a session id in them, such as ${JSON.stringify(this.#sessionExample)}: each counts as a page of its own; take the id out before logging.`,
      );
    return notes;
  }
}

/** The host that an address names, in small letters, without a user; undefined where it is no address. */
export const hostOf = (id: string): string | undefined =>
  /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(id)?.[1].toLowerCase();

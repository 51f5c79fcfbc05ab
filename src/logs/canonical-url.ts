/**
 * Canonical URLs (RFC 3986, section 6.2): case of scheme and host, default port, empty path, dot segments, case and need
 * of percent-escapes, and Unicode host names are normalised. Fragments are dropped unless they are to be kept.
 */
import { Tally } from './log-record.ts';

const absolute = /^\s*[a-z][a-z0-9+.-]*:\/\//i;
const sessionPattern =
  /[;?&](?:jsessionid|phpsessid|aspsessionid\w*|\w*sess(?:ion)?_?(?:id)?|sid|oscsid|zenid|cfid|cftoken)=[\w-]{6,}|\/\([A-Z]\(\w{10,}\)\)\//i;

/** Characters whose escapes are redundant (RFC 3986, section 2.3). */
const unreservedCharacter = /^[\w.~-]$/;
/** An escape, or a character that no URL has unescaped after its host. */
const escapePattern = /%[0-9a-f]{2}|[[\]|^`{}"<>\\ ]/gi;

/** The canonical form of a URL; other texts are returned unchanged. */
export function canonicalUrl(text: string, keepFragments = false): string {
  if (!absolute.test(text)) return text;
  const url = URL.parse(text);
  if (url === null) return text;
  if (!keepFragments) url.hash = '';
  const { href } = url;
  const path = href.indexOf('/', href.indexOf('//') + 2);
  if (path < 0) return href;
  return href.slice(0, path) + href.slice(path).replaceAll(escapePattern, normaliseEscape);
}

function normaliseEscape(match: string): string {
  if (match.length === 1) return encodeURIComponent(match);
  const character = String.fromCharCode(Number.parseInt(match.slice(1), 16));
  return unreservedCharacter.test(character) ? character : match.toUpperCase();
}

/** Joined URLs named in the notes at most. */
const maxExamples = 3;

/** Copies a text: a slice would keep the whole piece of the log in memory. */
export const detachText = (text: string): string => JSON.parse(JSON.stringify(text));

/** Numbers pages in order of first appearance, each under its first spelling. */
export class PageIndex {
  readonly ids: string[] = [];
  readonly #byForm = new Map<string, number>();
  readonly #byText = new Map<string, number>();
  readonly #keepFragments: boolean;
  readonly #joinExamples: string[] = [];
  #joinCount = 0;
  readonly #oddities = new Tally<'route' | 'session'>();

  constructor(keepFragments = false) {
    this.#keepFragments = keepFragments;
  }

  /** The index of the page with this spelling; adds new pages. */
  positionOf(text: string): number {
    const knownPosition = this.#byText.get(text);
    if (knownPosition !== undefined) return knownPosition;
    const spelling = detachText(text);
    const form = canonicalUrl(spelling, this.#keepFragments);
    let position = this.#byForm.get(form);
    if (sessionPattern.test(spelling)) this.#oddities.add('session', () => JSON.stringify(spelling));
    if (position === undefined) {
      position = this.ids.length;
      this.ids.push(spelling);
      this.#byForm.set(form, position);
    } else {
      if (this.#joinCount++ < maxExamples)
        this.#joinExamples.push(`${JSON.stringify(spelling)} is ${JSON.stringify(this.ids[position])}`);
      if (/#[!/]/.test(spelling)) this.#oddities.add('route', () => JSON.stringify(spelling));
    }
    this.#byText.set(spelling, position);
    return position;
  }

  /** Sentences about joined URLs, and about URLs that may need to be joined or separated. */
  get notes(): string[] {
    const notes: string[] = [];
    const one = this.#joinCount === 1;
    if (this.#joinCount > 0) {
      const ellipsis = this.#joinCount > maxExamples ? ', …' : '';
      notes.push(
        `${one ? '1 URL is' : `${this.#joinCount} URLs are`} joined with equal ones (RFC 3986), under the spelling that came first: ${this.#joinExamples.join(', ')}${ellipsis}.`,
      );
    }
    const [routes, sessions] = [this.#oddities.of('route'), this.#oddities.of('session')];
    if (routes.count > 0)
      notes.push(
        `${routes.count} of them may be pages of an application that routes by fragments, such as ${routes.first}: --fragments keep makes each a page.`,
      );
    if (sessions.count > 0)
      notes.push(
        `${sessions.count} URLs have a session id in them, such as ${sessions.first}: each counts as a page of its own; take the id out before logging.`,
      );
    return notes;
  }
}

/** The host of a URL in lower case, without user info; undefined if it is not a URL. */
export const hostOf = (id: string): string | undefined =>
  /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(id)?.[1].toLowerCase();

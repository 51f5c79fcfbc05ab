/**
 * Signatures of a page's content, as logs write them, compared by their kind.
 *
 * - `-`, `\N`, NULL, None, nan, N/A, unknown and empty mean that there is no signature.
 * - Entity tags compare weakly (RFC 9110, 8.8.3.2): `W/` and quotes are ignored. So are the suffixes that servers
 *   append for a content coding (`-gzip`, `;br`).
 * - Digests compare without prefix, case and base (hexadecimal, base32, base64). Digests of two algorithms cannot be
 *   compared.
 */

const missingPattern =
  /^(?:[-–—?]*|\\n|#?n\.?\/?a\.?!?|not available|[#<([]?(?:null|none|nil|nan|nat|undefined|unknown|empty|missing)[>)\].!]?|[[{("']*[\]})"']*)$/i;
/** Suffixes for content codings. Several may follow one another: of a server and of the proxy before it. */
const codingPattern = /(?:[-;:_.+/~ ]+(?:gzip|x-gzip|gz|br|brotli|deflate|zstd|compress|identity|dcb|dcz))+$/i;
const prefixPattern =
  /^(?:urn:)?\{?(md5|sha-?(?:1|256|512|384|224)?|blake3|blake2[bs]?|xxh(?:32|64|128|3)|crc32c?|gzip|br|deflate|zstd)(?:sum)?(?:[:=-]+|[};_/$ ])(.+)$/i;
/** Fast path for most logs: a digest of known length that contains a digit. */
const plainDigestPattern = /^(?:(md5|sha1|sha256):)?(?=[a-f]*\d)([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Digest algorithm by number of bytes. */
const algorithms = new Map([
  [16, 'md5'],
  [20, 'sha1'],
  [32, 'sha256'],
  [48, 'sha384'],
  [64, 'sha512'],
]);
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A signature, equal for equal content of one kind. `kind` is a digest's algorithm, empty for any other text. */
export interface Signature {
  readonly kind: string;
  readonly value: string;
}

/** Length of the longest text that stands for no value. */
const maxMissingLength = 16;

/** Whether a text of a log stands for no value. */
export const isMissing = (text: string): boolean => text.length <= maxMissingLength && missingPattern.test(text.trim());

/** The signature in a text of a log; null where it has none. */
export function signatureOf(text: string): Signature | null {
  const [, algorithm, plain] = plainDigestPattern.exec(text) ?? [];
  if (plain !== undefined) return { kind: algorithm ?? algorithms.get(plain.length / 2) ?? '', value: plain };
  const trimmedText = text.trim();
  if (isMissing(trimmedText)) return null;
  const bare = stripQuotes(stripQuotes(trimmedText).replace(codingPattern, ''));
  if (isMissing(bare)) return null;
  const [, label, digest = bare] = prefixPattern.exec(bare) ?? [];
  const algorithmName = label
    ?.toLowerCase()
    .replace(/^sha-?/, 'sha')
    .replace(/^sha$/, 'sha1');
  const value = hexOf(compactDigest(digest), algorithmName !== undefined);
  if (value === null) {
    return algorithmName === undefined
      ? { kind: '', value: bare }
      : { kind: algorithmName, value: digest.toLowerCase() };
  }
  return { kind: algorithmName ?? algorithms.get(value.length / 2) ?? '', value };
}

/**
 * The signature in a text as a number of 53 bits, with its kind in the upper bits; NaN where there is none. Two
 * different signatures have equal numbers with probability 2^−44.
 */
export function signatureNumber(text: string): number {
  const signature = signatureOf(text);
  if (signature === null) return Number.NaN;
  return (
    kinds.indexOf(signature.kind) * kindStep +
    (hashOf(signature.value, 1) % 4096) * 2 ** 32 +
    hashOf(signature.value, 2)
  );
}

/** Kinds by the number that stands for them; the first is that of any text that is no digest. */
const kinds = [
  ...['', 'md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'blake2', 'blake2b', 'blake2s', 'blake3'],
  ...['xxh3', 'xxh32', 'xxh64', 'xxh128', 'crc32', 'crc32c'],
  // digests of coded bytes, which differ although the content is the same
  ...['gzip', 'br', 'deflate', 'zstd'],
];
/** Difference between the numbers of consecutive kinds: hashes take 44 bits. */
const kindStep = 2 ** 44;

/** The kind in the number of a signature; empty for a text that is no digest. */
export const signatureKind = (signature: number): string => kinds[Math.floor(signature / kindStep)] ?? '';

/** Whether two signatures, as numbers, can be compared: they are of one kind. */
export const areComparable = (a: number, b: number): boolean => Math.floor(a / kindStep) === Math.floor(b / kindStep);

/**
 * The entity tag without weakness and quotes, which a table may double or escape, a program print as a list or as
 * bytes, and a URL encode. A digest in base64 may begin with W/ without being weak.
 */
function stripQuotes(text: string): string {
  const tag = text.replaceAll(/&quot;|&#34;|%22/gi, '"').replace(/^W%2F/i, 'W/');
  const strong = /^[\w+/]{22,}={1,2}$/.test(tag) ? tag : tag.replace(/^[["']*W\\?\/\s*/i, '');
  return strong.replace(/^\[?(?:b(?=["']))?(?:\\?["'“])*|(?:\\?["'”]|[\],;])+$/g, '');
}

/** A digest without the characters that shells, databases and certificates print around and between its letters. */
function compactDigest(digest: string): string {
  const [first] = digest.replace(/^:|:$|^\\x/g, '').split(/\s+\*?-?$|\s{2}/, 1);
  const letters = first.replaceAll(/(?<=^|[0-9a-f]{2})[\s:-](?=[0-9a-f]{2})/gi, '');
  return algorithms.has(letters.length / 2) && /^[0-9a-f]+$/i.test(letters) ? letters : first;
}

/** A digest in hexadecimal letters; null where the text is no digest of a known form. */
function hexOf(digits: string, isNamed: boolean): string | null {
  const text = digits.replace(/^0x/i, '');
  if (/^(?:[0-9a-f]{2})+$/i.test(text) && !isBase32(text)) {
    return isNamed || algorithms.has(text.length / 2) || text.length >= 8 ? text.toLowerCase() : null;
  }
  const bare = text.replace(/=+$/, '');
  if (isBase32(bare) || (isNamed && /^[a-z2-7]+$/i.test(bare) && base32Lengths.includes(bare.length))) {
    return bytesOf(bare.toUpperCase(), base32Letters, 5);
  }
  if (!/^[\w+/-]+$/.test(bare)) return null;
  const letters = bare.replaceAll('-', '+').replaceAll('_', '/');
  const isLong = text.length > bare.length || isNamed;
  const length = Math.floor((letters.length * 6) / 8);
  return isLong && algorithms.has(length) ? bytesOf(letters, base64Letters, 6) : null;
}

/** Lengths in base32 of MD5, SHA-1, SHA-256, SHA-384 and SHA-512. */
const base32Lengths = [26, 32, 52, 77, 103];

/**
 * Whether a text is SHA-1 in base32, as archives write it: digits 2 to 7 only, and a letter past F, or no digit at all.
 */
const isBase32 = (text: string): boolean => /^[A-Z2-7]{32}$/i.test(text) && (/[g-z]/i.test(text) || !/\d/.test(text));

function bytesOf(text: string, letters: string, bits: number): string {
  let [buffer, count] = [0, 0];
  let hex = '';
  for (const letter of text) {
    buffer = (buffer << bits) | letters.indexOf(letter);
    count += bits;
    while (count >= 4) {
      count -= 4;
      hex += ((buffer >> count) & 15).toString(16);
      buffer &= (1 << count) - 1;
    }
  }
  return hex.slice(0, 2 * Math.floor((text.length * bits) / 8));
}

/** FNV-1a hash in 32 bits, with a seed, its bits mixed at the end. */
export function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

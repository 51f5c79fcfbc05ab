/**
 * MD5 of a text in UTF-8 (R. Rivest, RFC 1321): not for secrets, but because every language and database computes it
 * alike. Some half a microsecond for a text of one block of 64 bytes.
 */
const sines = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

/** Digests one text after another in the same memory. */
export class Md5 {
  /** The four words of the last digest, little-endian. */
  readonly words = new Int32Array(4);
  #block = new Int32Array(32);
  #length = 0;

  /** Digests a text, given in two parts that need not be joined; its words are then in `words`. */
  digest(head: string, tail = ''): this {
    // A character has three bytes at most, a pair of two four; nine more and a started block end the text.
    while (4 * this.#block.length < 3 * (head.length + tail.length) + 72) this.#grow();
    const middle = this.#pushPlain(head, 0);
    const length = middle < 0 ? -1 : this.#pushPlain(tail, middle);
    if (length < 0) return this.#digestWide(head + tail);
    const last = length >> 2;
    const begun = (length & 3) === 0 ? 0 : this.#block[last];
    this.#block[last] = begun | (0x80 << (8 * (length & 3)));
    return this.#finish(length);
  }

  /** Writes a text of ASCII from a byte on, and returns where it ends; -1 where it has another character. */
  #pushPlain(text: string, from: number): number {
    const block = this.#block;
    let at = from;
    let word = (at & 3) === 0 ? 0 : block[at >> 2];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return -1;
      word |= code << (8 * (at & 3));
      at++;
      if ((at & 3) === 0) {
        block[(at >> 2) - 1] = word;
        word = 0;
      }
    }
    if ((at & 3) !== 0) block[at >> 2] = word;
    return at;
  }

  /** Of any text. */
  #digestWide(text: string): this {
    this.#length = 0;
    this.#block.fill(0);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) this.#push(unit);
      else if ((unit & 0xf800) !== 0xd800) this.#pushWide(unit);
      else {
        const code = text.codePointAt(i) ?? 0;
        // A lone surrogate is U+FFFD, as everywhere.
        this.#pushWide(code > 0xffff ? code : 0xfffd);
        if (code > 0xffff) i++;
      }
    }
    const length = this.#length;
    this.#push(0x80);
    return this.#finish(length);
  }

  /** The blocks of a text of so many bytes, of which the word with the byte after the last is written. */
  #finish(length: number): this {
    const block = this.#block;
    const blocks = ((length + 8) >> 6) + 1;
    block.fill(0, (length >> 2) + 1, 16 * blocks);
    block[16 * blocks - 2] = length << 3;
    block[16 * blocks - 1] = length >>> 29;
    const { words } = this;
    words[0] = 0x67452301;
    words[1] = 0xefcdab89;
    words[2] = 0x98badcfe;
    words[3] = 0x10325476;
    for (let at = 0; at < blocks; at++) this.#mix(16 * at);
    return this;
  }

  #push(byte: number): void {
    const at = this.#length++;
    this.#block[at >> 2] |= byte << (8 * (at & 3));
  }

  /** A character of two to four bytes. */
  #pushWide(code: number): void {
    if (code < 0x800) this.#push(0xc0 | (code >> 6));
    else {
      if (code < 0x10000) this.#push(0xe0 | (code >> 12));
      else {
        this.#push(0xf0 | (code >> 18));
        this.#push(0x80 | ((code >> 12) & 63));
      }
      this.#push(0x80 | ((code >> 6) & 63));
    }
    this.#push(0x80 | (code & 63));
  }

  #grow(): void {
    this.#block = new Int32Array(2 * this.#block.length);
  }

  /**
   * The 64 steps on one block of 64 bytes: four rounds, each with its function, its order of words and its turns. Four
   * steps stand together, so that no word has to change places with another.
   */
  #mix(from: number): void {
    const { words } = this;
    const x = this.#block;
    let a = words[0];
    let b = words[1];
    let c = words[2];
    let d = words[3];
    for (let i = 0; i < 16; i += 4) {
      a = turned(a + ((b & c) | (~b & d)) + sines[i] + x[from + i], 7, b);
      d = turned(d + ((a & b) | (~a & c)) + sines[i + 1] + x[from + i + 1], 12, a);
      c = turned(c + ((d & a) | (~d & b)) + sines[i + 2] + x[from + i + 2], 17, d);
      b = turned(b + ((c & d) | (~c & a)) + sines[i + 3] + x[from + i + 3], 22, c);
    }
    for (let i = 16; i < 32; i += 4) {
      a = turned(a + ((d & b) | (~d & c)) + sines[i] + x[from + ((5 * i + 1) & 15)], 5, b);
      d = turned(d + ((c & a) | (~c & b)) + sines[i + 1] + x[from + ((5 * i + 6) & 15)], 9, a);
      c = turned(c + ((b & d) | (~b & a)) + sines[i + 2] + x[from + ((5 * i + 11) & 15)], 14, d);
      b = turned(b + ((a & c) | (~a & d)) + sines[i + 3] + x[from + ((5 * i) & 15)], 20, c);
    }
    for (let i = 32; i < 48; i += 4) {
      a = turned(a + (b ^ c ^ d) + sines[i] + x[from + ((3 * i + 5) & 15)], 4, b);
      d = turned(d + (a ^ b ^ c) + sines[i + 1] + x[from + ((3 * i + 8) & 15)], 11, a);
      c = turned(c + (d ^ a ^ b) + sines[i + 2] + x[from + ((3 * i + 11) & 15)], 16, d);
      b = turned(b + (c ^ d ^ a) + sines[i + 3] + x[from + ((3 * i + 14) & 15)], 23, c);
    }
    for (let i = 48; i < 64; i += 4) {
      a = turned(a + (c ^ (b | ~d)) + sines[i] + x[from + ((7 * i) & 15)], 6, b);
      d = turned(d + (b ^ (a | ~c)) + sines[i + 1] + x[from + ((7 * i + 7) & 15)], 10, a);
      c = turned(c + (a ^ (d | ~b)) + sines[i + 2] + x[from + ((7 * i + 14) & 15)], 15, d);
      b = turned(b + (d ^ (c | ~a)) + sines[i + 3] + x[from + ((7 * i + 5) & 15)], 21, c);
    }
    words[0] += a;
    words[1] += b;
    words[2] += c;
    words[3] += d;
  }
}

/** A sum's 32 bits turned left, with the next word added. */
function turned(sum: number, turn: number, next: number): number {
  const bits = sum | 0;
  return (next + ((bits << turn) | (bits >>> (32 - turn)))) | 0;
}

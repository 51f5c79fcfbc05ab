/** Why bytes are no Arrow stream that can be read; the message is for the caller. */
export class ArrowFault extends Error {
  override readonly name = 'ArrowFault';
  readonly kind: 'not-arrow' | 'too-large';

  constructor(message: string, kind: 'not-arrow' | 'too-large' = 'not-arrow') {
    super(message);
    this.kind = kind;
  }
}

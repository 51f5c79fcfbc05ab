/** Why bytes are no Arrow stream that can be read; the message is for the caller. */
export class ArrowFault extends Error {
  override readonly name = 'ArrowFault';
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestTexts } from '../../src/cli/commands/request-texts.ts';

async function texts(input: string, cuts: readonly number[]): Promise<string[]> {
  const bytes = new TextEncoder().encode(input);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  async function* chunks() {
    let from = 0;
    for (const end of ends) {
      yield bytes.subarray(from, end);
      from = end;
    }
  }
  const read: string[] = [];
  for await (const { text } of requestTexts(chunks())) read.push(text);
  return read;
}

const record = fc.record({ name: fc.string({ unit: 'grapheme' }), values: fc.array(fc.double({ noNaN: true })) });
const cuts = fc.array(fc.nat(), { maxLength: 6 });

describe('an input', () => {
  it('with a request on each line gives one request a line, however its bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), cuts, async (records, at) => {
        const lines = records.map((each) => JSON.stringify(each));
        expect(await texts(`${lines.join('\n\n')}\n`, at)).toEqual(lines);
      }),
    );
  });

  it('with one request over many lines gives that request, however its bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(record, cuts, async (each, at) => {
        const read = await texts(JSON.stringify(each, null, 2), at);
        expect(read).toHaveLength(1);
        expect(JSON.parse(read[0])).toEqual(JSON.parse(JSON.stringify(each)));
      }),
    );
  });

  it('without anything is one empty request', async () => {
    expect(await texts('', [])).toEqual(['']);
    expect(await texts('\n \n', [])).toHaveLength(1);
  });
});

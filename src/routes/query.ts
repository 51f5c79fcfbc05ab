/** The one parameter of every operation's query. */
import * as z from 'zod';
import { didYouMean } from '../schemas/words/suggest.ts';

export const querySchema = z.strictObject({
  validateOnly: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: check the request and estimate its work without solving'),
});

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is wrong with a query, with what would be accepted; null where nothing is. */
export function faultOfQuery(query: Query): string | null {
  const names = Object.keys(query);
  if (names.length === 0) return null;
  const name = names.find((each) => each !== 'validateOnly');
  if (name !== undefined) {
    const suggestion = didYouMean(name, ['validateOnly']);
    const hint = suggestion === '' ? '' : `; ${suggestion}`;
    return `query: unknown parameter ${JSON.stringify(name.slice(0, 80))}${hint}; accepted: validateOnly=true`;
  }
  const { error } = querySchema.safeParse(query);
  return error === undefined ? null : `query: ${error.issues[0].message}; accepted: validateOnly=true`;
}

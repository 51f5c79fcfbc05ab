/** What the documents of the service's own GET routes have in common. */
import type * as z from 'zod';
import { problemContentType, problemSchema } from '../schemas/contract/problem.ts';

/** The `schema` of a GET route: its answer, and the refusals every such route can give. */
export function getRoute(
  operationId: string,
  summary: string,
  answer: z.ZodType,
  { mediaType = 'application/json', busy = false }: { readonly mediaType?: string; readonly busy?: boolean } = {},
) {
  const refusal = (description: string) => ({
    description,
    content: { [problemContentType]: { schema: problemSchema } },
  });
  return {
    tags: ['service'],
    operationId,
    summary,
    response: {
      200: { description: summary, content: { [mediaType]: { schema: answer } } },
      405: refusal('Another method; Allow says which'),
      ...(busy && { 503: refusal('Busy or shutting down; Retry-After says when to try again') }),
    },
  };
}

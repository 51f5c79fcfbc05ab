import { verify } from '../../src/certificates/verify.ts';

/** What is wrong with an answer, in sentences. */
export const faultsOf = (operation: string, request: unknown, answer: unknown): readonly string[] =>
  verify(operation, request, answer).faults;

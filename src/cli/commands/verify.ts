/** `verify`: checks an answer against its request by code that shares nothing with the solver. */
import { readFileSync } from 'node:fs';
import { verify } from '../../certificates/verify.ts';
import type { Operation } from '../../operations/operation.ts';
import { verifyClaim } from '../../schemas/words/verify-claim.ts';
import { escapeControls } from '../escape-controls.ts';
import { exitCodes, UsageError } from '../failures.ts';
import { findOperation } from '../operations.ts';
import { readOptions, textOption } from '../options.ts';
import { writeStderr } from '../output.ts';

const options = {
  operation: textOption('<name>', 'which operation answered; left out: the one whose request and answer these are'),
} as const;

export const help = {
  usage: 'verify <request.json> <answer.json>',
  description: `${verifyClaim} What is wrong is a line each on stdout.`,
  example: 'verify examples/slot-assignment.json examples/slot-assignment.answer.json',
  options,
  page: 'docs/command-line.md',
};

/** @throws UsageError if the files are not a request and an answer of one operation */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(words, options);
  const [requestFile, answerFile, ...rest] = positionals;
  if (answerFile === undefined || rest.length > 0) throw new UsageError('verify takes two files: request and answer');
  const [request, answer] = [documentIn(requestFile), documentIn(answerFile)];
  const operation =
    values.operation === undefined ? await operationOf(request, answer) : await findOperation(values.operation);
  if (!operation.check(request).ok) throw new UsageError(`${requestFile} is no request of ${operation.name}`);
  const { faults, checked, unchecked } = verify(operation.name, request, answer);
  for (const fault of faults) process.stdout.write(`${escapeControls(fault)}\n`);
  writeStderr(
    `${operation.name}: ${faults.length === 0 ? 'nothing is wrong with what was checked' : 'this answer is wrong'}\n` +
      `checked: ${checked.join(', ')}\nnot checked: ${unchecked.join(', ')}`,
  );
  return faults.length === 0 ? exitCodes.answered : exitCodes.infeasible;
}

function documentIn(file: string): unknown {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} holds no JSON document: ${error instanceof Error ? error.message : error}`);
  }
}

/** The operation whose request and answer schemas both fit. */
async function operationOf(request: unknown, answer: unknown): Promise<Operation> {
  const { operations } = await import('../../operations/index.ts');
  const takes = operations.filter((operation) => operation.check(request).ok);
  const fits = takes.filter(({ answerSchema }) => answerSchema.safeParse(answer).success);
  if (fits.length === 1) return fits[0];
  const names = (fits.length > 0 ? fits : takes).map(({ name }) => name);
  if (names.length === 0) throw new UsageError('the request is one of no operation; name it with --operation');
  throw new UsageError(
    fits.length > 0
      ? `the request may be one of ${names.join(', ')}: name it with --operation`
      : `the answer is not one of ${names.join(' or ')}`,
  );
}

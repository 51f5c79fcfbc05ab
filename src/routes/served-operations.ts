/**
 * What the service itself knows of its operations. It solves closed forms only. Of the others it needs names, sizes and
 * examples; its workers load their schemas and solvers. Code that is not loaded delays no start, and no garbage
 * collection while requests wait. A build writes these facts beside the service (dist/operations.json).
 */
import { readFileSync } from 'node:fs';
import { columnLists } from '../dispatch/column-lists.ts';
import { crawlerCount } from '../operations/crawler-count.ts';
import type { Operation, OperationFacts, ServedOperation } from '../operations/operation.ts';
import { packageFolder } from '../version.ts';

/** The operations of which some requests are solved on the event loop. */
const closedForms: readonly Operation[] = [crawlerCount];

/** An operation that this process has loaded. */
export function loaded(operation: Operation): ServedOperation {
  const { name, tag, summary, examples, limits } = operation;
  return {
    ...{ name, tag, summary, examples, limits },
    // Read off the schemas when it is first asked for: for all operations it takes a tenth of a second.
    get answersInColumns() {
      return columnLists(operation).answer !== null;
    },
    operation,
  };
}

export function factsOf(operation: Operation): OperationFacts {
  const { operation: _, ...facts } = loaded(operation);
  return facts;
}

/** Operations of which nothing is loaded but what is solved on the event loop. */
export function withClosedForms(facts: readonly OperationFacts[]): readonly ServedOperation[] {
  return facts.map((fact) => {
    const operation = closedForms.find(({ name }) => name === fact.name);
    return { ...fact, ...(operation && { operation }) };
  });
}

/** The operations of the service: from its sources all are loaded, from a build those with closed forms. */
export async function servedOperations(): Promise<readonly ServedOperation[]> {
  if (import.meta.url.endsWith('.ts')) return (await import('../operations/index.ts')).operations.map(loaded);
  const facts: readonly OperationFacts[] = JSON.parse(
    readFileSync(new URL('dist/operations.json', packageFolder), 'utf8'),
  );
  return withClosedForms(facts);
}

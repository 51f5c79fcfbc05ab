import { type Fault, quoted } from '../../contract/problem.ts';

/** What is wrong with a cell that must be a list of at most so many; null where nothing is. */
export function listFault(cell: unknown, most: number, of: string): Fault | null {
  if (!Array.isArray(cell)) return { code: 'invalid_type', message: `must be an array of ${of}; got ${quoted(cell)}` };
  if (cell.length > most) return { code: 'too_big', message: `must have at most ${most} items; got ${cell.length}` };
  return null;
}

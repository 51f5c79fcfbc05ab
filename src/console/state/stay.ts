/** The address of the view that is open, without another entry in the browser's history. */
import { operationIn } from './address.ts';

/**
 * Replaces the address of an operation's view by another of the same view. Where the reader has already gone elsewhere,
 * which this view hears of only later, the address is theirs and stays.
 */
export function stayAt(operation: string, hash: string): void {
  if (operationIn(location.hash) === operation && location.hash !== hash) history.replaceState(null, '', hash);
}

/** The contract's errors and warnings by the place they are about. */
import type { Problem } from '../api/answer.ts';

interface Remark {
  readonly pointer: string;
  readonly detail: string;
  readonly level: 'error' | 'warning';
}

export type Remarks = readonly Remark[];

export const remarksOf = (
  problem: Problem | undefined,
  warnings: readonly { detail: string; pointer?: string }[],
): Remarks => [
  ...(problem?.errors ?? []).map(({ pointer, detail }): Remark => ({ pointer, detail, level: 'error' })),
  ...warnings.map(({ pointer, detail }): Remark => ({ pointer: pointer ?? '', detail, level: 'warning' })),
];

/** Those about exactly this value. */
export const remarksAt = (remarks: Remarks, pointer: string): Remarks =>
  remarks.filter((remark) => remark.pointer === pointer);

/** Those about this value or something inside it. */
export const remarksBelow = (remarks: Remarks, pointer: string): Remarks =>
  remarks.filter((remark) => remark.pointer === pointer || remark.pointer.startsWith(`${pointer}/`));

/** Milliseconds of the clock that all processes of this machine share. */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Where a value lies among the stops, from 0 to 1. */
export function placeOf(stops: readonly number[], value: number): number {
  const after = stops.findIndex((stop) => stop >= value);
  if (after < 0) return 1;
  if (after === 0) return 0;
  const [low, high] = [stops[after - 1], stops[after]];
  return (after - 1 + (value - low) / (high - low)) / (stops.length - 1);
}

/** What crawls buy, with a lever on either axis, above the slider of the question. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Figure } from '../pictures/frame/figure.tsx';
import type { Picture } from '../pictures/frame/picture.ts';

interface BoughtProps {
  readonly picture: Picture | undefined;
  /** Whether it is on its way: its place is then kept, so that the slider below does not move under a finger. */
  readonly expected: boolean;
}

export function Bought({ picture, expected }: BoughtProps) {
  const place = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    if (picture !== undefined) height.current = place.current?.offsetHeight ?? 0;
  });
  if (picture === undefined && !expected) return null;
  return (
    <div class="figures" ref={place} style={{ minHeight: `${picture === undefined ? height.current : 0}px` }}>
      {picture && <Figure picture={picture} />}
    </div>
  );
}

/** A picture in its frame: drawn as wide as there is room, and again when that or the answer changes. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Key, Picture } from './picture.ts';

const glyphs: Readonly<Record<Key['shape'], string>> = {
  line: '━',
  dash: '╍',
  dot: '●',
  ring: '○',
  cross: '✕',
  square: '■',
  band: '▒',
};

function Legend({ keys }: { keys: readonly Key[] }) {
  return (
    <ul class="legend">
      {keys.map(({ label, color, shape }) => (
        <li key={label}>
          <span style={{ color }} aria-hidden="true">
            {glyphs[shape]}
          </span>
          {label}
        </li>
      ))}
    </ul>
  );
}

export function Figure({ picture }: { picture: Picture }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useFrameWidth(frame);
  useLayoutEffect(() => {
    if (width === 0) return;
    frame.current?.replaceChildren(picture.draw(width));
  }, [picture, width]);
  return (
    <figure class={picture.wide ? 'wide' : ''} data-picture={picture.id} aria-label={picture.title}>
      <figcaption>
        <h3>{picture.title}</h3>
        {picture.keys ? <Legend keys={picture.keys} /> : null}
      </figcaption>
      <div class="frame" ref={frame} role="img" aria-label={picture.title} />
      {picture.note ? <p class="about">{picture.note}</p> : null}
    </figure>
  );
}

/** The width of a frame in pixels, now and whenever it changes; 0 before the frame is there. */
export function useFrameWidth(frame: RefObject<HTMLElement | null>, isThere = true): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isThere]);
  return width;
}

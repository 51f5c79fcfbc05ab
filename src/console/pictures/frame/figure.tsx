/** A picture in its frame: drawn as wide as there is room, and again when that or the answer changes. */

import type { HTMLAttributes } from 'preact';
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

interface FrameProps extends HTMLAttributes<HTMLDivElement> {
  /** Draws at a width in pixels. */
  readonly draw: (width: number) => Element;
}

/** A drawing, made again whenever its width or `draw` changes. */
export function Frame({ draw, ...attributes }: FrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (width > 0) frame.current?.replaceChildren(draw(width));
  }, [draw, width]);
  return <div {...attributes} role="img" ref={frame} />;
}

export function Figure({ picture }: { picture: Picture }) {
  return (
    <figure class={picture.isWide ? 'wide' : ''} data-picture={picture.id} aria-label={picture.title}>
      <figcaption>
        <h3>{picture.title}</h3>
        {picture.keys ? <Legend keys={picture.keys} /> : null}
      </figcaption>
      <Frame class="frame" aria-label={picture.title} draw={picture.draw} />
      {picture.note ? <p class="about">{picture.note}</p> : null}
    </figure>
  );
}

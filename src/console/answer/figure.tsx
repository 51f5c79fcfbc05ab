/** A picture in its frame: drawn as wide as there is room, and again when that, the theme or the answer changes. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Key, Picture } from '../pictures/picture.ts';
import { FigureActions } from './figure-actions.tsx';

/** A gradient is shown in this many shades. */
const gradientSteps = [0, 0.2, 0.4, 0.6, 0.8, 1];

function Legend({ keys }: { keys: readonly Key[] }) {
  return (
    <ul class="legend">
      {keys.map(({ label, color, shape, to }) => (
        <li key={label}>
          <svg width={shape === 'gradient' ? 44 : 18} height="12" aria-hidden="true">
            {shape === 'gradient' ? (
              gradientSteps.map((share) => (
                <rect
                  key={share}
                  x={36 * share}
                  y="0"
                  width="8"
                  height="12"
                  fill={`color-mix(in oklab, ${to} ${100 * share}%, ${color})`}
                />
              ))
            ) : shape === 'line' || shape === 'dash' ? (
              <line
                x1="0"
                y1="6"
                x2="18"
                y2="6"
                stroke={color}
                stroke-width="2"
                stroke-dasharray={shape === 'dash' ? '4 3' : undefined}
              />
            ) : shape === 'ring' ? (
              <circle cx="9" cy="6" r="4.5" fill="none" stroke={color} stroke-width="2" />
            ) : shape === 'dot' ? (
              <circle cx="9" cy="6" r="4.5" fill={color} />
            ) : (
              <rect x="3" y="0" width="12" height="12" rx="2" fill={color} fill-opacity={shape === 'band' ? 0.3 : 1} />
            )}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

export function Figure({ picture }: { picture: Picture }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [drawing, setDrawing] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const again = (): void => setDrawing((count) => count + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('themechange', again);
    system.addEventListener('change', again);
    return () => {
      removeEventListener('themechange', again);
      system.removeEventListener('change', again);
    };
  }, []);
  useLayoutEffect(() => {
    if (width > 0) frame.current?.replaceChildren(picture.draw(width));
  }, [picture, width, drawing]);
  return (
    <figure class={picture.wide ? 'wide' : ''} data-picture={picture.id} aria-label={picture.title}>
      <figcaption>
        <div class="head">
          <h3>{picture.title}</h3>
          <FigureActions name={picture.id} figure={() => frame.current?.querySelector<SVGElement>('svg')} />
        </div>
        {picture.keys ? <Legend keys={picture.keys} /> : null}
      </figcaption>
      <div class="frame" ref={frame} />
      {picture.note ? <p class="about">{picture.note}</p> : null}
    </figure>
  );
}

/** A picture in its frame: drawn as wide as there is room, and again when that or the answer changes. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { figure as figureText } from '../../../schemas/words/numbers.ts';
import { tableOf } from './figure-table.ts';
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

/** The figure as a table, for those who cannot see it or want its numbers. */
function TableOfFigure({ picture, figure }: { picture: Picture; figure: () => Element | null | undefined }) {
  const [open, setOpen] = useState(false);
  const table = open ? tableOf(figure()) : undefined;
  return (
    <details class="figure-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={`${picture.title}, as a table`}>as a table</summary>
      {open && (table === undefined || table.rows.length === 0) ? (
        <p class="about">Its numbers are in the table above and in the answer as JSON.</p>
      ) : null}
      {table !== undefined && table.rows.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <div class="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {table.heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, i) => (
                <tr key={String(i)}>
                  {row.map((value, k) => (
                    <td key={table.heads[k]}>{typeof value === 'number' ? figureText(value) : value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {table !== undefined && table.length > table.rows.length ? (
        <p class="about">
          The first {figureText(table.rows.length)} of {figureText(table.length)}.
        </p>
      ) : null}
    </details>
  );
}

export function Figure({ picture }: { picture: Picture }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useFrameWidth(frame);
  useLayoutEffect(() => {
    if (width === 0) return;
    const drawn = picture.draw(width);
    // The frame is one image with a name, and its table says the rest: the marks inside are not read out one by one.
    drawn.setAttribute('aria-hidden', 'true');
    frame.current?.replaceChildren(drawn);
  }, [picture, width]);
  return (
    <figure class={picture.wide ? 'wide' : ''} data-picture={picture.id} aria-label={picture.title}>
      <figcaption>
        <h3>{picture.title}</h3>
        {picture.keys ? <Legend keys={picture.keys} /> : null}
      </figcaption>
      <div class="frame" ref={frame} role="img" aria-label={picture.title} />
      <TableOfFigure key={picture.title} picture={picture} figure={() => frame.current?.firstElementChild} />
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

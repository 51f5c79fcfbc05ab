/** The picture of the start page: five pages, how often each changes, and when a plan fetches them. */
import { useId } from 'preact/hooks';

const width = 640;
const laneHeight = 34;
const left = 128;
const lanes = [
  { name: 'front page', changes: 21, fetches: 8 },
  { name: 'news', changes: 12, fetches: 6 },
  { name: 'prices', changes: 5, fetches: 4 },
  { name: 'forum', changes: 2, fetches: 2 },
  { name: 'archive', changes: 0, fetches: 1 },
];

/** Times that look like chance but are the same at every visit: steps of the golden ratio. */
const changeAt = (lane: number, k: number): number => ((k + 1) * 0.618_034 + lane * 0.37) % 1;
const x = (share: number): number => left + share * (width - left - 14);

export function Sketch() {
  const id = useId();
  const height = laneHeight * lanes.length + 8;
  return (
    <svg class="sketch" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
      <title id={id}>
        Five pages as lanes over a day: marks where each changes, dots where the plan fetches it, more of them where
        that helps more
      </title>
      {lanes.map(({ name, changes, fetches }, lane) => {
        const y = laneHeight * lane + laneHeight / 2 + 4;
        return (
          <g key={name}>
            <text x={left - 14} y={y + 4} text-anchor="end">
              {name}
            </text>
            <line x1={left} x2={width - 14} y1={y} y2={y} class="lane" />
            {Array.from({ length: changes }, (_, k) => (
              <line
                key={String(k)}
                x1={x(changeAt(lane, k))}
                x2={x(changeAt(lane, k))}
                y1={y - 9}
                y2={y + 9}
                class="change"
              />
            ))}
            {Array.from({ length: fetches }, (_, k) => (
              <circle key={String(k)} cx={x((k + 0.5) / fetches)} cy={y} r="5.5" class="fetch" />
            ))}
          </g>
        );
      })}
    </svg>
  );
}

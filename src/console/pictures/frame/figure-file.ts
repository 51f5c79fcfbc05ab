/** A figure as a file of its own: its colours and type written into it, so that it looks the same outside this page. */

const painted = ['fill', 'stroke', 'color'] as const;
const copied = [
  'fill-opacity',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;
const padding = 12;

/** Colours as #rrggbb, whatever notation the page uses: other programs know no color-mix(). */
function hexColours(): (colour: string) => string {
  const known = new Map<string, string>();
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return (colour) => {
    if (colour === 'none' || context === null) return colour;
    const found = known.get(colour);
    if (found !== undefined) return found;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    const hex = `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
    const text = alpha === 0 ? 'none' : hex;
    known.set(colour, text);
    return text;
  };
}

export function svgText(figure: SVGElement): string {
  const hex = hexColours();
  const copy = figure.cloneNode(true);
  if (!(copy instanceof SVGElement)) return '';
  const originals = [figure, ...figure.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    const target = copies[i];
    target.removeAttribute('style');
    if (original instanceof SVGGElement && original.children.length > 0) return;
    for (const name of painted) target.setAttribute(name, hex(style.getPropertyValue(name)));
    for (const name of copied) target.setAttribute(name, style.getPropertyValue(name));
  });
  for (const style of copy.querySelectorAll('style')) style.remove();
  const { width, height } = figure.getBoundingClientRect();
  const box = [-padding, -padding, width + 2 * padding, height + 2 * padding];
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', box.join(' '));
  copy.setAttribute('width', String(box[2]));
  copy.setAttribute('height', String(box[3]));
  copy.setAttribute('font-family', 'system-ui, sans-serif');
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [key, value] of Object.entries({ x: box[0], y: box[1], width: box[2], height: box[3] })) {
    ground.setAttribute(key, String(value));
  }
  ground.setAttribute('fill', hex(getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The figure as a PNG, twice as fine as the screen. */
export async function pngBlob(figure: SVGElement): Promise<Blob> {
  const text = svgText(figure);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = new OffscreenCanvas(2 * image.width, 2 * image.height);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return canvas.convertToBlob({ type: 'image/png' });
}

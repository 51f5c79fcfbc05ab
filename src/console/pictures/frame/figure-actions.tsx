/** Takes a figure away, as SVG or PNG. */
import { useState } from 'preact/hooks';
import { pngBlob, svgText } from './figure-file.ts';
import { saveFile } from './save-file.ts';

export function FigureActions({ name, figure }: { name: string; figure: () => SVGElement | null | undefined }) {
  const [failure, setFailure] = useState('');
  const saveSvg = (): void => {
    const drawn = figure();
    if (drawn) saveFile(`${name}.svg`, svgText(drawn), 'image/svg+xml');
  };
  const savePng = (): void => {
    const drawn = figure();
    if (!drawn) return;
    pngBlob(drawn).then(
      (blob) => saveFile(`${name}.png`, blob),
      (error: unknown) => setFailure(`no PNG: ${String(error)}`),
    );
  };
  return (
    <span class="figure-actions">
      <button type="button" class="quiet" aria-label={`save ${name} as SVG`} onClick={saveSvg}>
        SVG
      </button>
      <button type="button" class="quiet" aria-label={`save ${name} as PNG`} onClick={savePng}>
        PNG
      </button>
      {failure === '' ? null : <span role="alert">{failure}</span>}
    </span>
  );
}

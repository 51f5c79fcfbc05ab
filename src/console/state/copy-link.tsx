/** The button that copies a link to the request, and what is offered where the request is too large for one. */
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import { saveFile } from '../pictures/frame/save-file.ts';
import { hashOf, lacksRequest } from './address.ts';

const saidMs = 2000;

interface CopyLinkProps {
  readonly operation: string;
  readonly request: JsonObject;
}

export function CopyLink({ operation, request }: CopyLinkProps) {
  const [state, setState] = useState<'' | 'copied' | 'large' | 'failed'>('');
  useEffect(() => setState(''), [request]);
  const copy = async (): Promise<void> => {
    const hash = await hashOf(operation, request);
    if (lacksRequest(hash)) {
      setState('large');
      return;
    }
    await navigator.clipboard.writeText(new URL(hash, location.href).href);
    setState('copied');
    setTimeout(() => setState((now) => (now === 'copied' ? '' : now)), saidMs);
  };
  return (
    <>
      <button type="button" class="quiet" data-copy-link onClick={() => copy().catch(() => setState('failed'))}>
        {state === 'copied' ? 'copied' : 'copy link'}
      </button>
      <span role="status" class="about">
        {state === 'large' ? (
          <>
            Too large for a link:{' '}
            <button
              type="button"
              class="quiet"
              onClick={() => saveFile('request.json', JSON.stringify(request, null, 2), 'application/json')}
            >
              save request.json
            </button>{' '}
            and send the file.
          </>
        ) : state === 'failed' ? (
          'The browser does not allow it: copy the address instead.'
        ) : (
          ''
        )}
      </span>
    </>
  );
}

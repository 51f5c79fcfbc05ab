/** Runs in a worker of its own: says what is wrong with an answer, without holding the page. */
import { certifiedOperations, verify } from '../../certificates/verify.ts';
import { isRecord } from '../api/json.ts';

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isRecord(data)) return;
  const operation = String(data.operation);
  const isCertified = certifiedOperations.includes(operation);
  postMessage(isCertified ? verify(operation, data.request, data.answer) : undefined);
});

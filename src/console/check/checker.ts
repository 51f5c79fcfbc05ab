/** Runs in a worker of its own: says what is wrong with an answer, without holding the page. */
import { verify } from '../../certificates/verify.ts';
import { isRecord } from '../api/json.ts';

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (isRecord(data)) postMessage(verify(String(data.operation), data.request, data.answer));
});

/** Bodies: kept as bytes, so that large ones reach a worker unparsed; compressed ones are inflated before. */
import fp from 'fastify-plugin';
import type { Config } from '../../config.ts';
import { problem } from '../../schemas/contract/problem.ts';
import { sendProblem } from '../problem-details.ts';
import { encodings, inflating } from './inflate.ts';
import { arrowType, jsonType, linesType, mediaType, packedTypes } from './media-types.ts';
import { readWhole } from './whole-body.ts';

interface BodiesOptions {
  readonly config: Config;
}

export const bodies = fp<BodiesOptions>(
  async (app, { config }) => {
    app.removeAllContentTypeParsers();
    const limit = config.bodyLimitBytes;
    app.addContentTypeParser([jsonType, arrowType, linesType], ({ headers }, payload, done) => {
      readWhole(payload, { length: Number(headers['content-length'] ?? Number.NaN), limit }, done);
    });
    app.addHook('preParsing', (request, reply, payload, done) => {
      const { 'content-type': type, 'content-encoding': coding } = request.headers;
      const packed = packedTypes.includes(mediaType(type)) ? 'gzip' : undefined;
      const encoding = coding?.trim().toLowerCase() ?? packed;
      if (encoding === undefined || encoding === 'identity') {
        done(null, payload);
        return;
      }
      const inflated = inflating(encoding, payload, {
        maxBytes: limit,
        hold: app.holdBody(reply),
      });
      if (inflated !== null) {
        done(null, inflated);
        return;
      }
      const accepted = [...encodings.keys()].join(', ');
      const detail = `Content-Encoding ${encoding.slice(0, 40)} is not supported; accepted is one of ${accepted}`;
      sendProblem(reply.header('accept-encoding', accepted), problem('unsupported-media-type', detail));
    });
  },
  { name: 'bodies', dependencies: ['problem-details', 'admission'] },
);

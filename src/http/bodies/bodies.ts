/** Bodies: kept as bytes, so that large ones reach a worker unparsed; compressed ones are inflated before. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../../config.ts';
import type { Dispatcher } from '../../dispatch/dispatcher.ts';
import type { BodyFormat } from '../../dispatch/pipeline.ts';
import { Places } from '../../dispatch/wire/places.ts';
import { problem } from '../../schemas/contract/problem.ts';
import { sendProblem } from '../problem-details.ts';
import { encodings, inflating } from './inflate.ts';
import { whenSettled } from './lingering.ts';
import { arrowType, jsonType, linesType, mediaType, packedTypes } from './media-types.ts';
import { readWhole } from './whole-body.ts';

interface BodiesOptions {
  readonly config: Config;
  readonly dispatcher: Dispatcher;
}

/** Larger bodies are read while they arrive. */
const arrivingBytes = 2 ** 20;
const formats = new Map<string, BodyFormat>([
  [jsonType, 'json'],
  [arrowType, 'arrow'],
]);

export const bodies = fp<BodiesOptions>(
  async (app, { config, dispatcher }) => {
    app.removeAllContentTypeParsers();
    const limit = config.bodyLimitBytes;
    const arriving = new WeakMap<FastifyRequest, Uint8Array>();
    const places = new Places();
    app.addContentTypeParser([jsonType, arrowType, linesType], (request, payload, done) => {
      const { headers, routeOptions } = request;
      const format = formats.get(mediaType(headers['content-type']));
      const operation = routeOptions.url?.slice('/v1/'.length);
      const length = Number(headers['content-length'] ?? Number.NaN);
      const arrives = (body: Buffer, available: number): boolean => {
        if (format === undefined || operation === undefined || length < arrivingBytes) return false;
        arriving.set(request, body);
        return dispatcher.arrives(body, available, { operation, format });
      };
      readWhole(payload, { length, limit, places, arrives }, done);
    });
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (Number(request.headers['content-length']) >= arrivingBytes) {
        whenSettled(reply.raw, () => {
          const body = arriving.get(request);
          if (body === undefined) return;
          dispatcher.forget(body);
          arriving.delete(request);
          // what a worker answers has reached it whole
          const { statusCode, writableFinished } = reply.raw;
          if (statusCode === 200 && writableFinished && request.run?.where === 'worker') places.giveBack(body);
        });
      }
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

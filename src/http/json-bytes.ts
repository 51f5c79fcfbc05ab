/** Bodies: JSON only, uncompressed, kept as bytes so that large ones reach a worker unparsed. */
import type { FastifyInstance } from 'fastify';

export function acceptJsonBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding.toLowerCase() === 'identity') {
      done();
      return;
    }
    const error = new Error(`Content-Encoding ${encoding.slice(0, 40)} is not supported; send the body uncompressed`);
    done(Object.assign(error, { statusCode: 415 }));
  });
}

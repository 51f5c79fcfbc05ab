/** Bodies: JSON only, uncompressed, kept as bytes so that large ones reach a worker unparsed. */
import type { FastifyInstance } from 'fastify';

export function acceptJsonBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      const error = new Error(`Content-Encoding ${encoding.slice(0, 40)} is not supported; send the body uncompressed`);
      throw Object.assign(error, { statusCode: 415 });
    }
  });
}

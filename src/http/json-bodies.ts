/** Bodies: JSON only, uncompressed, kept as bytes so that large ones reach a worker unparsed. */
import fp from 'fastify-plugin';

export const jsonBodies = fp(
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      const encoding = request.headers['content-encoding'];
      if (encoding === undefined || encoding.toLowerCase() === 'identity') {
        done(null, body);
        return;
      }
      const error = new Error(`Content-Encoding ${encoding.slice(0, 40)} is not supported; send the body uncompressed`);
      done(Object.assign(error, { statusCode: 415 }));
    });
  },
  { name: 'json-bodies', fastify: '5.x', dependencies: ['problem-details'] },
);

/**
 * The schemas of the routes are there for the OpenAPI document: the pipeline checks requests and writes answers itself.
 * The framework's own compilers (ajv, fast-json-stringify) are therefore never loaded.
 */
import type { FastifyInstance } from 'fastify';

function unused(): never {
  throw new Error('the schemas of routes are not compiled');
}

/** For the framework's option `schemaController.compilersFactory`: stands where its compilers would be loaded. */
export const noCompilers = { buildValidator: unused, buildSerializer: unused };

export function compileNothing(app: FastifyInstance): void {
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
}

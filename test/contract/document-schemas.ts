/** The schemas of an OpenAPI document, as functions that say whether a value is valid. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface DocumentSchemas {
  request(operation: string): ValidateFunction;
  answer(operation: string): ValidateFunction;
  /** Validates the problem of a refusal with status 422. */
  problem(): ValidateFunction;
}

function missing(what: string): never {
  throw new Error(`no schema for ${what}`);
}

export function documentSchemas(document: Record<string, unknown>): DocumentSchemas {
  const ajv = new Ajv2020({ strict: false, allErrors: false, logger: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const validator = (name: string, tail: string): ValidateFunction => {
    const validate = ajv.getSchema(`document#/paths/${`/v1/${name}`.replaceAll('/', '~1')}/post/${tail}`);
    return validate ?? missing(`${name} ${tail}`);
  };
  return {
    request: (name) => validator(name, 'requestBody/content/application~1json/schema'),
    answer: (name) => validator(name, 'responses/200/content/application~1json/schema'),
    problem: () => ajv.getSchema('document#/components/schemas/Problem') ?? missing('Problem'),
  };
}

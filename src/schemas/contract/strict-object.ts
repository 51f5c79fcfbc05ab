/** Objects and choices with names; objects of requests take no other property than theirs. */

import * as z from 'zod';
import { didYouMean } from '../words/suggest.ts';

/** Most refused values that a problem describes; further ones are only counted. */
export const maxShownErrors = 20;

const shownCharacters = 80;

/** A name as it may stand in a pointer or a message: never the whole of a large input. */
export const shortenName = (name: string): string =>
  name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;

/** The message for an unknown property, in one line. */
export function unknownProperty(name: string, allowedNames: readonly string[]): string {
  const hint = didYouMean(name, allowedNames);
  const quotedName = JSON.stringify(shortenName(name));
  return `unknown property ${quotedName}; ${hint === '' ? '' : `${hint} `}allowed here: ${allowedNames.join(', ')}`;
}

/**
 * `z.strictObject` whose "unrecognized keys" issue names the keys that are allowed, and the one that was meant. It has
 * a line for each unknown key, in their order, at most {@link maxShownErrors}.
 */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const allowedNames = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, maxShownErrors)
            .map((key: string) => unknownProperty(key, allowedNames))
            .join('\n')
        : undefined,
  });
}

/** A part of a request, under its name in the OpenAPI document and in generated clients. */
export const strictObject = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => closedObject(shape).meta({ id });

/** A part of an answer, under its name. */
export const object = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.object(shape).meta({ id });

/** A choice of words, under its name. */
export const choice = <const Words extends readonly string[]>(id: string, words: Words) => z.enum(words).meta({ id });

/** The schema with an id that this schema is, or was made from by describing it; undefined if none has an id. */
export function namedPart(schema: z.core.$ZodType | undefined): z.ZodType | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  return schema.meta()?.id === undefined ? namedPart(schema._zod.parent) : schema;
}

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

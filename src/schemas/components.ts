/** The schemas that stand by name in the OpenAPI document's components. */
import * as z from 'zod';
import { objectiveSchema, statisticsSchema, warningSchema } from './answer.ts';
import { fieldErrorSchema, problemSchema } from './problem.ts';

export const componentSchemas = z.registry<{ id?: string }>();
componentSchemas.add(problemSchema, { id: 'Problem' });
componentSchemas.add(fieldErrorSchema, { id: 'FieldError' });
componentSchemas.add(objectiveSchema, { id: 'Objective' });
componentSchemas.add(warningSchema, { id: 'Warning' });
componentSchemas.add(statisticsSchema, { id: 'Statistics' });

/** The column `observations` of a list of pages: past fetches, converted to checks. */

import {
  checksFromFetches,
  columnsOf,
  type FetchColumns,
  type Observation,
} from '../../../solvers/estimation/index.ts';
import { type Field, id, moment, number, plain } from '../../contract/field.ts';
import { type Fault, quoted } from '../../contract/problem.ts';
import { type Column, describedBy, flagForms } from '../../table/column.ts';
import { objectFault, propertiesOf } from '../cell-objects.ts';
import { listFault } from '../list.ts';
import { ChecksReader, longestTime, shortestTime } from './checks-reader.ts';

const timeRange = { minimum: -longestTime, maximum: longestTime };
const observationNames = ['time', 'changed', 'lastModified', 'signature', 'status'];

/**
 * `observations`: `[{time, changed | lastModified | signature | status}]`; within a process also in columns.
 *
 * @param shortest minimum time between two checks
 */
export function observationsColumn(
  most: number,
  field: string | Field,
  shortest = shortestTime,
): Column<ChecksReader, readonly Observation[] | FetchColumns | undefined> {
  return {
    required: false,
    broadcasts: false,
    cell: {
      type: 'array',
      maxItems: most,
      items: {
        type: 'object',
        ...plain('A past fetch and what it saw', { component: 'Observation' }),
        properties: {
          time: { type: 'number', ...timeRange, ...moment('When the page was fetched') },
          changed: {
            anyOf: [...flagForms, { type: 'null' }],
            ...plain('Whether it had changed since the last fetch'),
          },
          lastModified: { type: ['number', 'null'], ...timeRange, ...moment('Last-Modified, by the same clock') },
          signature: { type: ['string', 'null'], maxLength: 512, ...id('Any digest of the content') },
          status: {
            type: ['integer', 'null'],
            minimum: 0,
            maximum: 999,
            ...number('HTTP status: 304 is unchanged, 2xx a fetch, all else no observation'),
          },
        },
        required: ['time'],
        additionalProperties: false,
      },
    },
    ...describedBy(field),
    store(length) {
      const values = new ChecksReader(length, shortest);
      return {
        values,
        set(position, cell) {
          if (isColumns(cell)) return take(values, position, cell);
          const fault = listFault(
            cell,
            { minItems: 0, maxItems: most },
            'observations {time, changed | lastModified | signature | status}',
          );
          if (fault || !Array.isArray(cell)) return fault;
          const list: Observation[] = [];
          for (let k = 0; k < cell.length; k++) {
            const read = readObservation(cell[k]);
            if ('code' in read) return { ...read, path: [k, ...(read.path ?? [])] };
            list.push(read);
          }
          return take(values, position, columnsOf(list));
        },
      };
    },
  };
}

const isColumns = (cell: unknown): cell is FetchColumns =>
  typeof cell === 'object' && cell !== null && 'time' in cell && cell.time instanceof Float64Array;

/** Converts the fetches of a page to checks. */
function take(values: ChecksReader, position: number, fetches: FetchColumns): null {
  values.counts[position] = 0;
  values.span(position, fetches.time);
  const summary = checksFromFetches(fetches, (elapsed, outcome) => values.add(position, elapsed, outcome));
  values.lastSeen[position] = summary.lastSeen;
  values.failing[position] = summary.failing;
  values.fetches[position] = fetches.length;
  values.failures += summary.failures;
  values.duplicates += summary.duplicates;
  values.outOfOrder += summary.outOfOrder;
  values.implausible += summary.implausible;
  return null;
}

function readObservation(value: unknown): Observation | Fault {
  const fault = objectFault(value, observationNames);
  if (fault !== null) return fault;
  const { time, changed: flag, lastModified, signature, status } = propertiesOf(value);
  const wrong = (name: string, message: string): Fault => ({ path: [name], code: 'invalid_type', message });
  if (typeof time !== 'number' || !(Math.abs(time) <= longestTime)) {
    return wrong('time', `must be a number, when the page was fetched, at most ${longestTime}; got ${quoted(time)}`);
  }
  const flagGiven = flag !== undefined && flag !== null;
  if (flagGiven && flag !== true && flag !== false && flag !== 1 && flag !== 0) {
    return wrong('changed', `must be true, false, 1 or 0; got ${quoted(flag)}`);
  }
  const modifiedGiven = lastModified !== undefined && lastModified !== null;
  if (modifiedGiven && !(typeof lastModified === 'number' && Math.abs(lastModified) <= longestTime)) {
    return wrong('lastModified', `must be a number, in the unit of time; got ${quoted(lastModified)}`);
  }
  const signatureGiven = signature !== undefined && signature !== null;
  if (signatureGiven && !(typeof signature === 'string' && signature.length <= 512)) {
    return wrong('signature', `must be a string of at most 512 characters; got ${quoted(signature)}`);
  }
  const statusGiven = status !== undefined && status !== null;
  if (statusGiven && !(typeof status === 'number' && Number.isInteger(status) && status >= 0 && status <= 999)) {
    return wrong('status', `must be an HTTP status, an integer from 0 to 999; got ${quoted(status)}`);
  }
  return {
    time,
    ...(flagGiven && { changed: flag === true || flag === 1 }),
    ...(typeof lastModified === 'number' && { lastModified }),
    ...(typeof signature === 'string' && { signature }),
    ...(typeof status === 'number' && { status }),
  };
}

/** Parses the arguments of `crawl-optimizer tables rates`. */
import { readOptions } from '../cli/options.ts';
import { type DialectName, dialectNames, type LogTable, type TimeFormat, timeFormats } from '../statements/index.ts';
import { optionalName, parseChoice, parseUnit, ratesOptions, type Unit } from './command.ts';
import { TablesError } from './engine.ts';

/** The log's columns as the options name them. */
export type NamedColumns = Pick<LogTable, 'timeFormat' | 'changed' | 'signature' | 'status'> &
  Partial<Pick<LogTable, 'page' | 'time'>>;

export interface RatesCommand {
  /** Empty if only the statement is printed. */
  readonly sources: readonly string[];
  readonly dialect: DialectName | undefined;
  /** Names of the columns that were given; the engine knows the log. */
  readonly columns: NamedColumns;
  readonly unit: Unit;
  readonly output: string;
  readonly table: string | undefined;
  readonly memory: string;
}

/** @throws TablesError */
export function readRatesCommand(words: readonly string[]): RatesCommand {
  const { values, positionals } = readOptions(words, ratesOptions, (reason) => new TablesError(reason));
  const dialect = values.dialect === undefined ? undefined : parseChoice(values.dialect, dialectNames, 'dialect');
  if ((positionals.length === 0) === (dialect === undefined)) {
    throw new TablesError('rates needs files or a postgres:// URL, or --dialect for the statement alone');
  }
  if (values.changed !== undefined && values.signature !== undefined) {
    throw new TablesError('rates needs --changed or --signature, one of the two');
  }
  if (values.out === undefined && dialect === undefined) throw new TablesError('rates needs --out');
  const timeFormat: TimeFormat = parseChoice(values['time-format'], timeFormats, 'time-format');
  if (timeFormat === 'utc' && dialect !== undefined && dialect !== 'duckdb' && dialect !== 'postgres') {
    throw new TablesError(`--time-format utc is written for duckdb and postgres; cast the column for ${dialect}`);
  }
  return {
    sources: positionals,
    dialect,
    columns: {
      page: optionalName(values.id, 'id'),
      time: optionalName(values.time, 'time'),
      timeFormat,
      changed: optionalName(values.changed, 'changed'),
      signature: optionalName(values.signature, 'signature'),
      status: optionalName(values.status, 'status'),
    },
    unit: parseUnit(values['rate-unit'], 'rate-unit'),
    output: values.out ?? '',
    table: optionalName(values.table, 'table'),
    memory: values.memory ?? '2GB',
  };
}

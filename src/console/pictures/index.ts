/** The pictures of each operation, by its name; one without an entry is shown as figures and JSON. */
import { crawlerCount } from './crawler-count.ts';
import type { Illustrator } from './picture.ts';

export const illustrators: Readonly<Record<string, Illustrator>> = {
  'crawler-count': crawlerCount,
};

/** The compressed forms of a folder's files, beside them: the service sends them to those who accept them. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A tenth larger than the highest quality makes them, in a tenth of its time. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes them for every file of text in the folder and below. */
export async function writeCompressedForms(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|svg|json)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    await writeFile(`${path}.br`, brotliCompressSync(bytes, quality));
  }
}

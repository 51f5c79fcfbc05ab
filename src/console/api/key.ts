/** The key of a service that asks for one, kept for this tab only. */

const storageName = 'crawl-optimizer-api-key';

export const storedKey = (): string => sessionStorage.getItem(storageName) ?? '';

export const storeKey = (key: string): void => sessionStorage.setItem(storageName, key);

export const serviceUrl = (path: string): string => new URL(`../${path}`, document.baseURI).href;

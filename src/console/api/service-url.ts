/** The service's address: the console is served one level below it. */
export const serviceUrl = (path: string): string => new URL(`../${path}`, document.baseURI).href;

// Where the page runs: behind its own server, or as plain files on any host, below any path and without a server.

export const SITE: boolean = import.meta.env.MODE === 'site';

/** The address of a file of the page. */
export const fileAddress = (name: string): string => (SITE ? new URL(name, document.baseURI.replace(/[?#].*/, '')).href : `/${name}`);

// Where the visitor wants the computer to think, for modules that know nothing of the page's settings.

export const engineChoice: { place: 'device' | 'server' } = { place: 'device' };

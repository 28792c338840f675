// Where the visitor wants the computer to think, for modules that do not import the page's settings.

export const engineChoice: { place: 'device' | 'server' } = { place: 'device' };

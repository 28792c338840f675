// How the seats look: a colour and a letter. No letter names a column or is the initial of a colour in any language.

export const LETTERS = ['P', 'Q', 'R', 'S'] as const;
export const COLOURS = ['#2d2926', '#f5cb1e', '#e8710a', '#2a8a43'] as const;
export const INKS = ['#ffffff', '#2d2926', '#2d1500', '#ffffff'] as const; // readable on them

// The positions of the rulebooks' examples, one file per game. tools/rulebook_pictures.py makes them from examples.toml.

import type { Entry, View } from '../lib/types';

export interface Example {
  variant: string;
  view: View;
  entry: Entry | null; // the turn that led to it; null: the start, or a position that was set up
}

const files = import.meta.glob<Record<string, Example>>('../../../docs/rulebook/pictures/*.json', { import: 'default' });

export async function exampleOf(game: string, clause: string): Promise<Example | undefined> {
  return (await files[`../../../docs/rulebook/pictures/${game}.json`]?.())?.[clause];
}

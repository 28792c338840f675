// The board of examples/torus.py: its folder in web/src/boards is named like the game. Names and texts are the generic ones.
export * from '../generic';
export { default as Board } from './Board.svelte';

export const scored = (): boolean => false; // three in line wins, nothing is counted

export { default as Cover } from './Cover.svelte';

export const simultaneous = true;

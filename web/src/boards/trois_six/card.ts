export { default as Cover } from './Cover.svelte';

export const simultaneous = true;

export const fields = { layout: () => import('./LayoutField.svelte') };

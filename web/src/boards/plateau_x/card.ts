export { default as Cover } from './Cover.svelte';

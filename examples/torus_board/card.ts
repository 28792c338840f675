export { Cover } from '../generic/card';

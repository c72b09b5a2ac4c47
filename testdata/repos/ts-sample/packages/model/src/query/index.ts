export { where, order } from './build';
export type { Query, Predicate } from './build';
import { where } from './build';
export default where;

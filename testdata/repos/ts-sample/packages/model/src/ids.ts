/** An opaque identifier. */
export type Id<T extends string = string> = string & { readonly brand: T };

let last = 0;

/** Makes the next identifier. See {@link isId}. */
export function nextId<T extends string>(prefix: T): Id<T> {
  last += 1;
  return `${prefix}-${last}` as Id<T>;
}

export const isId = (value: unknown): value is Id => typeof value === 'string' && value.includes('-');

/**
 * Whether a value is an instance of a class of this package, from whichever copy of it: `import` and
 * `require` load two, and a dependency may bring another. `instanceof` itself compares prototypes, so it
 * would miss the errors of another copy. Subclasses are compared by prototype, as usual.
 */
export function isBranded(
  value: unknown,
  { brand, own, asked }: { brand: symbol; own: unknown; asked: unknown },
): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (asked === own) return brand in value;
  return typeof asked === "function" && Object.prototype.isPrototypeOf.call(asked.prototype, value);
}

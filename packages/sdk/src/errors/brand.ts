/**
 * Whether a value is an instance of a class of this package, from any copy of it: `import` and `require` load
 * separate copies, and a dependency may bring another. The default `instanceof` compares prototypes, so it
 * would miss errors from another copy. Subclasses are compared by prototype, as usual.
 */
export function isBranded(
  value: unknown,
  { brand, own, asked }: { brand: symbol; own: unknown; asked: unknown },
): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (asked === own) return brand in value;
  return typeof asked === "function" && Object.prototype.isPrototypeOf.call(asked.prototype, value);
}

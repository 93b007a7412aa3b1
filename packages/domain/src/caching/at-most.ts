/**
 * Options of an `LRUCache` that grows to a number of entries. Its option `max` instead allocates all entries at once: a
 * service has 20 caches, and that was a third of its start.
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

import { newId } from "../../ids.ts";

/** The customer of each reported item. */
export interface Assignment<Item> {
  customerOf: (reported: Item) => string;
  /** Keys without a known customer. */
  new_keys: Map<string, string>;
  /** Customers that were merged into others. */
  merged: Map<string, string>;
}

/**
 * Assigns items to customers by their keys. Items that share a key, directly or through others, belong to the same
 * customer, and customers that share one are merged. The customer with the smallest id, the oldest, remains.
 */
export function assignCustomers<Item>(
  keys: ReadonlyMap<Item, readonly string[]>,
  known: ReadonlyMap<string, string>,
): Assignment<Item> {
  const same = new UnionFind();
  for (const item of keys.values()) same.unite(item);
  for (const [key, customer_id] of known) same.unite([idName(customer_id), key]);
  const stays = new Map<string, string>();
  for (const customer_id of known.values()) {
    const group = same.find(idName(customer_id));
    const oldest = stays.get(group);
    if (oldest === undefined || customer_id < oldest) stays.set(group, customer_id);
  }
  const ofGroup = (group: string): string => {
    const customer_id = stays.get(group) ?? newId(new Date());
    stays.set(group, customer_id);
    return customer_id;
  };
  const merged = new Map<string, string>();
  for (const customer_id of known.values()) {
    const into = ofGroup(same.find(idName(customer_id)));
    if (into !== customer_id) merged.set(customer_id, into);
  }
  const new_keys = new Map<string, string>();
  for (const key of new Set([...keys.values()].flat())) {
    if (!known.has(key)) new_keys.set(key, ofGroup(same.find(key)));
  }
  return {
    customerOf: (reported) => {
      const [first] = keys.get(reported) ?? [];
      if (first === undefined) throw new Error("an item has no customer keys");
      return ofGroup(same.find(first));
    },
    new_keys,
    merged,
  };
}

/** A separator that occurs in no key. */
function idName(customer_id: string): string {
  return `id ${customer_id}`;
}

/** Groups of equivalent names, directly or through others. */
export class UnionFind {
  readonly #parents = new Map<string, string>();

  /** The name that represents the group of this one. */
  find(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) {
      root = parent;
    }
    // Path compression: the next search is shorter.
    for (let step = name; step !== root; ) {
      const parent = this.#parents.get(step) ?? root;
      this.#parents.set(step, root);
      step = parent;
    }
    return root;
  }

  /** Joins the groups of all these names. */
  unite([first, ...others]: readonly string[]): void {
    if (first === undefined) return;
    for (const other of others) {
      const root = this.find(first);
      const other_root = this.find(other);
      if (root !== other_root) this.#parents.set(other_root, root);
    }
  }
}

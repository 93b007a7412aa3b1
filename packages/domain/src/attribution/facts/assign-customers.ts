import { newId } from "../../ids.ts";
import { UnionFind } from "./union-find.ts";

/** Whose the things are that were reported. */
export interface Assignment<Told> {
  customerOf: (reported: Told) => string;
  /** Keys that nobody was known by. */
  new_keys: Map<string, string>;
  /** Customers that turned out to be others. */
  merged: Map<string, string>;
}

/**
 * Assigns things to customers by their keys: those that share one, also by way of others, are of the same
 * customer, and customers that share one are the same. The one with the smallest id, the oldest, stays.
 */
export function assignCustomers<Told>(
  keys: ReadonlyMap<Told, readonly string[]>,
  known: ReadonlyMap<string, string>,
): Assignment<Told> {
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
      if (first === undefined) throw new Error("nothing is known of whose this is");
      return ofGroup(same.find(first));
    },
    new_keys,
    merged,
  };
}

/** No key looks like this. */
function idName(customer_id: string): string {
  return `id ${customer_id}`;
}

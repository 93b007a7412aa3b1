import type { Tiers, TiersInput } from "@findersfee/contract/campaigns/tiers";
import { currencyDecimals } from "@findersfee/contract/currencies";
import type { Issue } from "@findersfee/contract/errors";
import type { StoredRule } from "@findersfee/database/campaigns/rule-sets";
import type { TiersRow } from "@findersfee/database/rows";
import { newId } from "../../ids.ts";
import { toMinor } from "../../money.ts";
import { rewardToStored } from "../rules/read.ts";

interface StoredTiers {
  values: TiersRow | null;
  /** The rewards of the tiers. They precede the campaign's rules. */
  rules: StoredRule[];
  issues: Issue[];
}

/** The tiers of a campaign in their stored form, and their issues. A step without an id gets one. */
export function tiersToStored(tiers: Tiers | TiersInput | null, currency: string): StoredTiers {
  const issues: Issue[] = [];
  if (tiers === null) return { values: null, rules: [], issues };
  const { measure, period } = tiers;
  const ids = new Set<string>();
  const names = new Set<string>();
  const minorOf = (path: string, amount: number) => {
    const minor = toMinor(amount, currency);
    if (minor !== null) return Number(minor);
    issues.push({
      path,
      message: `An amount in ${currency} has at most ${currencyDecimals(currency)} decimals.`,
    });
    return 0;
  };
  const steps = tiers.steps.map(({ id: given = newId(new Date()), name, from, bonus }, index) => {
    const path = `tiers.steps[${index}]`;
    const id = given.toLowerCase();
    if (ids.has(id)) issues.push({ path: `${path}.id`, message: "Another tier has the same." });
    ids.add(id);
    if (names.has(name.trim())) issues.push({ path: `${path}.name`, message: "Another tier has the same." });
    names.add(name.trim());
    if (measure === "customers" && !Number.isInteger(from))
      issues.push({ path: `${path}.from`, message: "Must be a whole number of customers." });
    return {
      id,
      name: name.trim(),
      from: measure === "customers" ? Math.trunc(from) : minorOf(`${path}.from`, from),
      bonus: bonus === null ? null : minorOf(`${path}.bonus`, bonus),
    };
  });
  const rules = tiers.steps.flatMap(({ commission }, index) => {
    const step = steps[index];
    if (commission === null || step === undefined) return [];
    const next = tiers.steps.findIndex((later, place) => place > index && later.commission !== null);
    const same = steps.slice(index, next === -1 ? undefined : next).map(({ id }) => id);
    const path = `tiers.steps[${index}].commission`;
    const reward = rewardToStored(commission, { path, issues });
    return [{ id: step.id, name: step.name, conditions: { tiers: same }, reward }];
  });
  return { values: { measure, period, steps }, rules, issues };
}

/** The rules that name a tier which the campaign does not have, or that have the id of one. */
export function ruleIssues(rules: readonly StoredRule[], tiers: TiersRow | null): Issue[] {
  const ids = new Set(tiers?.steps.map(({ id }) => id));
  return rules.flatMap(({ id, conditions }, index) => {
    const issues: Issue[] = [];
    if (ids.has(id)) issues.push({ path: `rules[${index}].id`, message: "A tier has the same." });
    if (conditions.tiers?.some((tier) => !ids.has(tier)) === true)
      issues.push({ path: `rules[${index}].conditions.tiers`, message: "The campaign has no such tier." });
    return issues;
  });
}

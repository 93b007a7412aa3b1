import type { CommissionRule, CommissionRuleInput } from "@findersfee/contract/campaigns/rules";
import { currencyDecimals } from "@findersfee/contract/currencies";
import type { Issue } from "@findersfee/contract/errors";
import type { StoredConditions, StoredReward, StoredRule } from "@findersfee/database/campaigns/rule-sets";
import { newId } from "../../ids.ts";
import { amountToMinor, isWithinRate, toRate } from "../../money.ts";

type Input = CommissionRule | CommissionRuleInput;

/** Rules in their stored form, and their issues at paths of the list. A rule without an id gets one. */
export function rulesToStored(
  rules: readonly Input[],
  list: string,
): { values: StoredRule[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const ids = new Set<string>();
  const values = rules.map(({ id = newId(new Date()), name, conditions, reward }, index) => {
    const path = `${list}[${index}]`;
    if (ids.has(id)) issues.push({ path: `${path}.id`, message: "Another rule has the same." });
    ids.add(id);
    return {
      id: id.toLowerCase(),
      name,
      conditions: conditionsToStored(conditions, { path: `${path}.conditions`, issues }),
      reward: rewardToStored(reward, { path: `${path}.reward`, issues }),
    };
  });
  return { values, issues };
}

interface Place {
  path: string;
  issues: Issue[];
}

function conditionsToStored(
  { amount, ...conditions }: Input["conditions"],
  { path, issues }: Place,
): StoredConditions {
  const given = Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined));
  if (amount === undefined) return given;
  const { currency, from, below } = amount;
  const minorOf = (field: string, value: number) =>
    amountToMinor({ path: `${path}.amount.${field}`, amount: value, currency, issues });
  return {
    ...given,
    amount: {
      currency,
      ...(from !== undefined && { from_minor: minorOf("from", from) }),
      ...(below !== undefined && { below_minor: minorOf("below", below) }),
    },
  };
}

/** A reward in its stored form, and its issues. */
export function rewardToStored(
  { type, amount, amounts }: Input["reward"],
  { path, issues }: Place,
): StoredReward {
  if (type === "fixed") return { type, amounts: amountsOf(amounts, { path: `${path}.amounts`, issues }) };
  if (type === "nothing" || amount === null) return { type: "nothing" };
  return { type: "percentage", value: rateOf(amount, { path: `${path}.amount`, issues }) };
}

function rateOf(percent: number, { path, issues }: Place): bigint {
  const rate = toRate(percent);
  if (rate === null) issues.push({ path, message: "A percentage has at most 4 decimals." });
  else if (!isWithinRate(rate))
    issues.push({ path, message: "A percentage must be over 0 and at most 100." });
  return rate ?? 0n;
}

function amountsOf(amounts: readonly { currency: string; amount: number }[], { path, issues }: Place) {
  const currencies = new Set<string>();
  return amounts.map(({ currency, amount }, index) => {
    const at = `${path}[${index}]`;
    if (currencies.has(currency))
      issues.push({ path: `${at}.currency`, message: "Another amount has the same." });
    currencies.add(currency);
    const found = issues.length;
    const value = amountToMinor({ path: `${at}.amount`, amount, currency, issues });
    if (value === 0n && issues.length === found) {
      const message = `An amount in ${currency} has at most ${currencyDecimals(currency)} decimals, and is greater than 0.`;
      issues.push({ path: `${at}.amount`, message });
    }
    return { currency, value };
  });
}

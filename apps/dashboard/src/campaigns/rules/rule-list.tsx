import {
  type PayingLimit,
  type Unreachable,
  unreachableRules,
} from "@findersfee/contract/campaigns/rule-reach";
import { Button, IconButton } from "@findersfee/ui/components/button";
import { ruleSentence } from "@findersfee/ui/formats/rule-sentence";
import { rule_words } from "@findersfee/ui/formats/rule-words";
import { Menu } from "@findersfee/ui/overlays/menu";
import { ArrowDown, ArrowUp, Ellipsis, Pencil, Plus, TriangleAlert, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSession } from "../../session/session.tsx";
import type { KnownTier } from "./conditions.tsx";
import { issueOfList } from "./issue-of-list.ts";
import { copyOf, fieldPaths, MOST_RULES, newRule, type RuleDraft, ruleOf } from "./rule-draft.ts";
import { RuleForm } from "./rule-form.tsx";
import { texts } from "./texts.ts";

export interface RuleListProps {
  rules: readonly RuleDraft[];
  onChange: (rules: RuleDraft[]) => void;
  /** The issue of a path such as `[0].reward.amount`. */
  issueOf: (path: string) => string | undefined;
  limit: PayingLimit;
  /** Whether something else than the rules gives payments nothing. */
  excludes: boolean;
  /** Those that rules can ask for. */
  tiers: readonly KnownTier[];
  /** The key of the rule that is open at first. */
  open?: string | undefined;
}

/** Ordered rules as sentences, each with a form that opens in its place. */
export function RuleList({
  rules,
  onChange,
  issueOf,
  limit,
  excludes,
  tiers,
  open: first_open,
}: RuleListProps) {
  const { organization } = useSession();
  const [open, setOpen] = useState<string | null>(first_open ?? null);
  const [announcement, setAnnouncement] = useState("");
  const add_button = useRef<HTMLButtonElement>(null);
  const reach = unreachableRules(rules.map(ruleOf), { limit, excludes });
  const insert = (rule: RuleDraft, place: number) => {
    onChange([...rules.slice(0, place), rule, ...rules.slice(place)]);
    setOpen(rule.key);
  };
  const move = (rule: RuleDraft, to: number) => {
    const others = rules.filter((other) => other !== rule);
    onChange([...others.slice(0, to), rule, ...others.slice(to)]);
    setAnnouncement(texts.moved(to + 1));
  };
  const remove = (rule: RuleDraft, index: number) => {
    onChange(rules.filter((other) => other !== rule));
    setAnnouncement(texts.deleted(index + 1));
    add_button.current?.focus();
  };
  const is_full = rules.length >= MOST_RULES;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {rules.length > 0 && (
        <ol className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line rounded-card border border-line">
          {rules.map((rule, index) => (
            <RuleItem
              key={rule.key}
              rule={rule}
              index={index}
              count={rules.length}
              reach={reach[index] ?? null}
              is_open={open === rule.key}
              can_copy={!is_full}
              tiers={tiers}
              onToggle={() => setOpen(open === rule.key ? null : rule.key)}
              onSet={(changed) => onChange(rules.map((other) => (other.key === rule.key ? changed : other)))}
              onMove={(to) => move(rule, to)}
              onCopy={() => insert(copyOf(rule), index + 1)}
              onDelete={() => remove(rule, index)}
              issueOf={(path) => issueOf(`[${index}].${path}`)}
            />
          ))}
        </ol>
      )}
      {is_full && <p className="text-table text-muted">{texts.at_most(MOST_RULES)}</p>}
      <div>
        <Button
          ref={add_button}
          disabled={is_full}
          onClick={() => insert(newRule(organization.currency), rules.length)}
        >
          <Plus aria-hidden size={14} />
          {texts.add}
        </Button>
      </div>
    </div>
  );
}

interface RuleItemProps {
  rule: RuleDraft;
  index: number;
  count: number;
  reach: Unreachable | null;
  is_open: boolean;
  can_copy: boolean;
  tiers: readonly KnownTier[];
  onToggle: () => void;
  onSet: (rule: RuleDraft) => void;
  onMove: (to: number) => void;
  onCopy: () => void;
  onDelete: () => void;
  issueOf: (path: string) => string | undefined;
}

function RuleItem(props: RuleItemProps) {
  const { rule, index, reach, tiers, onSet, issueOf } = props;
  const item = useRef<HTMLLIElement>(null);
  const is_open = props.is_open || hasIssue(rule, issueOf);
  const is_new = useRef(rule.id === null && props.is_open);
  useEffect(() => {
    // A rule that was just added is edited at once.
    if (is_new.current) item.current?.querySelector<HTMLElement>("select, input")?.focus();
  }, []);
  return (
    <li ref={item} className="grid grid-cols-[minmax(0,1fr)] gap-3 p-3">
      <div className="flex items-start gap-x-3 gap-y-1 max-wide:flex-wrap">
        <span className="w-5 shrink-0 pt-1.5 text-right text-table text-muted tabular-nums">{index + 1}</span>
        <div className="min-w-0 flex-1 pt-1.5 wrap-anywhere max-wide:basis-[calc(100%-2rem)]">
          <p>{sentenceOf(rule, tiers)}</p>
          {rule.name.trim() !== "" && (
            <p dir="auto" className="text-table text-muted">
              {rule.name}
            </p>
          )}
          {reach !== null && <Reach reach={reach} />}
        </div>
        <RuleActions {...props} is_open={is_open} />
      </div>
      {is_open && (
        <div className="border-t border-line pt-4 pb-1 wide:pl-8">
          <RuleForm rule={rule} onChange={onSet} issueOf={issueOf} tiers={tiers} />
        </div>
      )}
    </li>
  );
}

/** The rule in words. A dash replaces each empty field. */
function sentenceOf(rule: RuleDraft, tiers: readonly KnownTier[]): string {
  return ruleSentence(ruleOf(rule), rule_words, tiers);
}

function hasIssue(rule: RuleDraft, issueOf: RuleItemProps["issueOf"]): boolean {
  return fieldPaths(rule).some((path) => issueOfList(path, issueOf) !== undefined);
}

/** Why the rule never matches. */
export function Reach({ reach }: { reach: Unreachable }) {
  return (
    <p className="flex items-start gap-1.5 text-table text-warn">
      <TriangleAlert aria-hidden size={14} className="mt-[3px] shrink-0" />
      <span>{reachText(reach)}</span>
    </p>
  );
}

function reachText(reach: Unreachable): string {
  switch (reach.reason) {
    case "earlier_rule":
      return `${texts.never} ${texts.reasons.earlier_rule(reach.index + 1)}`;
    case "earlier_rules":
      return `${texts.never} ${texts.reasons.earlier_rules(reach.indexes.map((index) => index + 1))}`;
    case "limit_of_payments":
      return texts.limit_of_payments;
    default:
      return `${texts.never} ${texts.reasons[reach.reason]}`;
  }
}

function RuleActions({
  index,
  count,
  is_open,
  can_copy,
  onToggle,
  onMove,
  onCopy,
  onDelete,
}: Omit<RuleItemProps, "rule">) {
  const number = index + 1;
  return (
    <div className="flex shrink-0 items-center max-wide:ml-auto">
      <IconButton
        label={texts.up(number)}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
        className="disabled:text-rule"
      >
        <ArrowUp aria-hidden size={15} />
      </IconButton>
      <IconButton
        label={texts.down(number)}
        disabled={number === count}
        onClick={() => onMove(index + 1)}
        className="disabled:text-rule"
      >
        <ArrowDown aria-hidden size={15} />
      </IconButton>
      <IconButton
        label={is_open ? texts.close(number) : texts.edit(number)}
        aria-expanded={is_open}
        onClick={onToggle}
      >
        {is_open ? <X aria-hidden size={15} /> : <Pencil aria-hidden size={15} />}
      </IconButton>
      <Menu
        label={texts.more(number)}
        look="quiet"
        shape="square"
        align="end"
        items={[
          ...(can_copy ? [{ kind: "action" as const, id: "copy", label: texts.duplicate, run: onCopy }] : []),
          { kind: "action", id: "delete", label: texts.delete, run: onDelete },
        ]}
      >
        <Ellipsis aria-hidden size={16} />
      </Menu>
    </div>
  );
}

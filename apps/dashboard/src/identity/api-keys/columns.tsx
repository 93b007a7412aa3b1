import { CopyButton } from "@findersfee/ui/components/copy";
import { Time } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import type { ReactNode } from "react";
import type { ApiKeyView } from "./queries.ts";
import { texts } from "./texts.ts";

const name: Column<ApiKeyView> = {
  id: "name",
  header: texts.name,
  cell: (key) => (
    <span dir="auto" title={key.name}>
      {key.name}
    </span>
  ),
  narrow: "above",
  strong: true,
};

const token: Column<ApiKeyView> = {
  id: "key",
  header: texts.key,
  cell: (key) => <Token apiKey={key} />,
  narrow: "below",
  width: "w-[26%]",
};

const scopes: Column<ApiKeyView> = {
  id: "scopes",
  header: texts.scopes,
  cell: (key) => key.scopes.map((scope) => texts.short_scopes[scope]).join(", "),
  width: "w-[17%]",
};

const used: Column<ApiKeyView> = {
  id: "used",
  header: texts.last_used,
  cell: ({ last_used_at }) =>
    last_used_at === null ? texts.not_used : <Time at={last_used_at} show="relative" />,
  narrow: "below-end",
  width: "w-30",
};

const ends: Column<ApiKeyView> = {
  id: "ends",
  header: texts.expires,
  cell: (key) => <Ends apiKey={key} />,
  width: "w-30",
};

const author: Column<ApiKeyView> = {
  id: "author",
  header: texts.created_by,
  cell: (key) => <span dir="auto">{authorOf(key)}</span>,
  width: "w-[13%]",
  roomy: true,
};

/** The columns, the last one with a menu. */
export function apiKeyColumns(menuOf: (key: ApiKeyView) => ReactNode): Column<ApiKeyView>[] {
  return [
    name,
    token,
    scopes,
    used,
    ends,
    author,
    { id: "menu", header: "", cell: menuOf, align: "end", narrow: "above-end", width: "w-14" },
  ];
}

/** A publishable key is always shown. A secret key shows only its end. */
function Token({ apiKey: { kind, last_four, publishable_key } }: { apiKey: ApiKeyView }) {
  if (publishable_key === null) {
    return (
      <span className="font-mono text-meta">
        {kind === "secret" ? "ff_sk_" : "ff_pk_"}…{last_four}
      </span>
    );
  }
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="min-w-0 truncate font-mono text-meta text-ink" title={publishable_key}>
        {publishable_key}
      </span>
      <CopyButton text={publishable_key} quiet />
    </span>
  );
}

function Ends({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKeyView }) {
  if (revoked_at !== null) {
    return (
      <>
        {texts.revoked_at} <Time at={revoked_at} show="day" />
      </>
    );
  }
  if (expires_at === null) return texts.never;
  if (Date.parse(expires_at) > Date.now()) return <Time at={expires_at} />;
  return <span className="text-bad">{texts.expired}</span>;
}

function authorOf({ created_by, created_by_name }: ApiKeyView): string {
  return created_by_name ?? (created_by === "operator" ? texts.operator : texts.unknown_person);
}

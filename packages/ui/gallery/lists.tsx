import { useState } from "react";
import { Button } from "../src/components/button.tsx";
import { Empty } from "../src/components/empty.tsx";
import { State } from "../src/components/state.tsx";
import { Money, Time } from "../src/components/values.tsx";
import { FilterBar, FilterChip } from "../src/lists/filter-bar.tsx";
import { List } from "../src/lists/list.tsx";
import { useSelection } from "../src/lists/selection.ts";
import type { Column } from "../src/lists/table.tsx";
import { useToast } from "../src/overlays/toast.tsx";
import { ROWS, type SampleRow } from "./rows.ts";

const COLUMNS: Column<SampleRow>[] = [
  { id: "at", header: "Paid", cell: ({ at }) => <Time at={at} />, narrow: "below", width: "w-32" },
  { id: "customer", header: "Customer", cell: ({ customer }) => customer, narrow: "above", strong: true },
  {
    id: "amount",
    header: "Amount",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    align: "end",
    narrow: "above-end",
    strong: true,
    width: "w-36",
    sorted: "descending",
    onSort: () => {},
  },
  {
    id: "state",
    header: "Outcome",
    cell: ({ tone, state }) => <State tone={tone}>{state}</State>,
    narrow: "below-end",
  },
  { id: "affiliate", header: "Affiliate", cell: ({ affiliate }) => <span dir="auto">{affiliate}</span> },
];

function lockOf({ state }: SampleRow): string | null {
  return state === "Voided" ? "It is voided" : null;
}

export function Lists() {
  const toast = useToast();
  const [text, setText] = useState("");
  const [states, setStates] = useState<string[]>([]);
  const [size, setSize] = useState(25);
  const matching = ROWS.filter(
    ({ customer, state }) => customer.includes(text) && (states.length === 0 || states.includes(state)),
  );
  const rows = matching.slice(0, size);
  const selection = useSelection(rows.filter((row) => lockOf(row) === null).map(({ id }) => id));
  return (
    <>
      <FilterBar label="Customer's email" text={text} onText={setText}>
        <FilterChip
          name="Outcome"
          several
          values={[...new Set(ROWS.map(({ state }) => state))].map((value) => ({ value, label: value }))}
          chosen={states}
          onChoose={setStates}
        />
      </FilterBar>
      <List
        label="Payments"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ customer }) => customer}
        linkTo={({ id }) => `/lists?row=${id}`}
        lockOf={lockOf}
        selection={selection}
        actions={
          <Button
            onClick={() =>
              toast({ text: `${selection.keys.length} payments`, action: { label: "Undo", run: () => {} } })
            }
          >
            Decide again…
          </Button>
        }
        empty={
          <Empty
            title={`No payment matches "${text}"`}
            action={<Button onClick={() => setText("")}>Clear</Button>}
          />
        }
        pager={{ newer: null, older: "/lists?after=x", size, onSize: setSize }}
      />
    </>
  );
}

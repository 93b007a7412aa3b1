import { Sum } from "@findersfee/ui/components/sum";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Story } from "./queries.ts";

/** The commission as the sum of its ledger entries. */
export function CommissionSum({ story: { earning, entries, net_amount, adds_up } }: { story: Story }) {
  const { earnings } = useTexts();
  const { money } = useFormats();
  return (
    <Sum
      label={earnings.sum}
      total={net_amount}
      amounts={entries.map(({ amount }) => amount)}
      format={(amount) => money(amount, earning.currency)}
      adds_up={adds_up}
      verdict={adds_up ? earnings.adds_up : earnings.does_not_add_up}
    />
  );
}

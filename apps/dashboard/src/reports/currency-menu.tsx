import { Menu } from "@findersfee/ui/overlays/menu";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useSession } from "../session/session.tsx";
import { balanceTotalsQuery } from "./overview/queries.ts";

export interface CurrencyMenuProps {
  currency: string;
  /** Undefined: the organization's. */
  onChange: (currency: string | undefined) => void;
}

/** Only for an organization with money in several: amounts are never added over currencies. */
export function CurrencyMenu({ currency, onChange }: CurrencyMenuProps) {
  const session = useSession();
  const { data = [] } = useQuery(balanceTotalsQuery(session));
  const own = session.organization.currency;
  const currencies = [...new Set([own, currency, ...data.map((total) => total.currency)])];
  if (currencies.length < 2) return null;
  return (
    <Menu
      align="end"
      items={currencies.map((code) => ({
        kind: "choice" as const,
        id: code,
        label: code,
        chosen: code === currency,
        run: () => onChange(code === own ? undefined : code),
      }))}
    >
      {currency}
      <ChevronDown aria-hidden size={14} />
    </Menu>
  );
}

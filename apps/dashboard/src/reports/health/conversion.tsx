import { Section } from "@findersfee/ui/components/section";
import { Link } from "@findersfee/ui/navigation";
import { ConversionProblems } from "../../organizations/settings/conversion-problems.tsx";
import { useSession } from "../../session/session.tsx";
import type { Health } from "./queries.ts";
import { texts } from "./texts.ts";

/** Whether the exchange rates are there, for organizations that convert amounts. */
export function Conversion({ conversion }: Pick<Health, "conversion">) {
  const { home } = useSession();
  if (conversion === null) return null;
  return (
    <Section title={texts.exchange_rates} hint={texts.exchange_rates_hint}>
      <ConversionProblems conversion={conversion} />
      <p>
        <Link to={`${home}/settings/currencies`} className="text-accent underline">
          {texts.currency_settings}
        </Link>
      </p>
    </Section>
  );
}

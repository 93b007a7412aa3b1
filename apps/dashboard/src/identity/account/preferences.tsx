import { Checkbox, RadioField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { BROWSER_CLOCK, type DateOrder, dateLocale } from "@findersfee/ui/formats/clock";
import { formatDateTime } from "@findersfee/ui/formats/dates";
import { startTransition, useOptimistic, useState } from "react";
import type { Me } from "../../requests/account.ts";
import { useSetPreferences } from "../../session/preferences.ts";
import { texts as shell_texts } from "../../shell/texts.ts";
import { setTheme, THEMES, useTheme } from "../../shell/theme.ts";
import { texts } from "./texts.ts";

const DATE_ORDERS = ["browser", "month_first", "day_first"] as const satisfies readonly DateOrder[];

export function Preferences({ me: { preferences } }: { me: Me }) {
  const theme = useTheme();
  const setPreferences = useSetPreferences();
  const [now] = useState(() => new Date());
  const [dates, showDates] = useOptimistic(preferences.dates);
  const [has_shortcuts, showShortcuts] = useOptimistic(preferences.shortcuts);
  return (
    <Section title={texts.preferences} hint={texts.preferences_hint}>
      <RadioField
        label={shell_texts.appearance}
        name="theme"
        choices={THEMES.map((value) => ({ value, label: shell_texts.themes[value] }))}
        chosen={theme}
        onChoose={(value) => {
          const chosen = THEMES.find((one) => one === value);
          if (chosen === undefined) return;
          setTheme(chosen);
          void setPreferences({ theme: chosen });
        }}
      />
      <RadioField
        label={texts.dates}
        name="dates"
        choices={DATE_ORDERS.map((value) => ({
          value,
          label: texts.date_orders[value],
          hint: formatDateTime(now, { ...BROWSER_CLOCK, locale: dateLocale("en", value) }),
        }))}
        chosen={dates}
        onChoose={(value) =>
          startTransition(async () => {
            const chosen = DATE_ORDERS.find((one) => one === value);
            if (chosen === undefined) return;
            showDates(chosen);
            await setPreferences({ dates: chosen });
          })
        }
      />
      <Checkbox
        label={shell_texts.shortcuts}
        hint={texts.shortcuts_hint}
        checked={has_shortcuts}
        onChange={({ target: { checked } }) =>
          startTransition(async () => {
            showShortcuts(checked);
            await setPreferences({ shortcuts: checked });
          })
        }
      />
    </Section>
  );
}

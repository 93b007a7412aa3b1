import { brandColors } from "@findersfee/contract/portal/brand-colors";
import { texts } from "./texts.ts";

const THEMES = ["light", "dark"] as const;

/** Which shades the portal uses in place of a color, and why. */
export function Guard({ color }: { color: string }) {
  const derived = brandColors(color);
  const moved = THEMES.flatMap((theme) =>
    (["text", "lines"] as const).flatMap((part) => {
      const used = derived[theme][part === "text" ? "text" : "line"];
      return used === color ? [] : [{ theme, part, used }];
    }),
  );
  const on = derived.light.on_solid === "#ffffff" ? "white" : "black";
  return (
    <div role="status">
      <ul className="grid gap-1.5 text-table text-muted">
        <GuardLine color={color} text={texts.on_buttons(on)} />
        {moved.length === 0 && <GuardLine color={color} text={texts.fits} />}
        {moved.map(({ theme, part, used }) => (
          <GuardLine key={`${theme} ${part}`} color={used} text={texts.moved({ color, theme, part }, used)} />
        ))}
      </ul>
    </div>
  );
}

function GuardLine({ color, text }: { color: string; text: string }) {
  return (
    <li className="flex items-start gap-2">
      <svg aria-hidden="true" viewBox="0 0 14 14" className="mt-[3px] size-3.5 shrink-0">
        <rect x="0.5" y="0.5" width="13" height="13" rx="3" fill={color} className="stroke-edge" />
      </svg>
      {text}
    </li>
  );
}

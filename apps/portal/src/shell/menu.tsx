import { buttonClass } from "@findersfee/ui/components/button";
import { Link } from "@findersfee/ui/navigation";
import { Check, CircleUserRound } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useLanguage, useTexts } from "../language/language.tsx";
import { useSession, useSignOut } from "../session/session.tsx";
import type { Place } from "./places.ts";

/** The id of the menu: its buttons in the header and in the bar open it. */
export const MENU = "menu";

const ROW =
  "flex min-h-11 w-full items-center justify-between gap-3 rounded-control px-3 text-left hover:bg-hover aria-[current]:font-medium";

/** Programs of the address, the pages that are not in the bar of phones, and the way out. Escape and clicks beside it close it. */
export function Menu({ places }: { places: readonly Place[] }) {
  const { frame } = useTexts();
  const { me } = useSession();
  const signOut = useSignOut();
  const popover = useRef<HTMLDivElement>(null);
  const close = () => popover.current?.hidePopover();
  return (
    <div
      ref={popover}
      id={MENU}
      popover="auto"
      className="overlay-motion inset-auto m-0 max-h-[70dvh] overflow-y-auto border border-rule bg-raised p-2 text-ink shadow-overlay max-links:fixed max-links:inset-x-0 max-links:bottom-0 max-links:w-auto max-links:max-w-none max-links:rounded-t-dialog max-links:pb-[calc(1rem+env(safe-area-inset-bottom))] links:absolute links:top-(--menu-top) links:right-[max(1.5rem,calc(50vw-30rem+1.5rem))] links:w-76 links:rounded-card"
    >
      {me.programs.length > 1 && <Programs onChosen={close} />}
      {places.length > 0 && (
        <Section>
          {places.map(({ to, label, current, in_header }) => (
            <Link
              key={to}
              to={to}
              aria-current={current ? "page" : undefined}
              className={`${ROW} ${in_header ? "links:hidden" : ""}`}
              onClick={close}
            >
              {label}
            </Link>
          ))}
        </Section>
      )}
      <Section>
        <p className="px-3 pt-1 pb-1 text-meta text-muted">
          {frame.signed_in_as} <span className="block truncate text-table text-ink">{me.email}</span>
        </p>
        <button
          type="button"
          disabled={me.by_staff}
          className={`${ROW} disabled:text-muted`}
          onClick={signOut}
        >
          {frame.sign_out}
        </button>
      </Section>
    </div>
  );
}

/** The programs of the address, with the open one. */
function Programs({ onChosen }: { onChosen: () => void }) {
  const { language, texts } = useLanguage();
  const { frame } = texts;
  const { me, program, choose } = useSession();
  return (
    <Section title={frame.programs}>
      {me.programs.map(({ affiliate_id, organization_name, campaign_name, campaign_translations }) => {
        const is_current = affiliate_id === program.affiliate_id;
        return (
          <button
            key={affiliate_id}
            type="button"
            aria-current={is_current || undefined}
            className={ROW}
            onClick={() => {
              choose(affiliate_id);
              onChosen();
            }}
          >
            <span className="min-w-0">
              <span dir="auto" className="block truncate">
                {organization_name}
              </span>
              <span dir="auto" className="block truncate text-meta font-normal text-muted">
                {campaign_translations[language]?.name ?? campaign_name}
              </span>
            </span>
            {is_current && <Check aria-hidden size={18} className="shrink-0" />}
          </button>
        );
      })}
    </Section>
  );
}

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className="not-first:mt-2 not-first:border-t not-first:border-line not-first:pt-2">
      {title !== undefined && <p className="px-3 py-1 text-meta text-muted">{title}</p>}
      {children}
    </div>
  );
}

/** Opens the menu from the header. */
export function MenuButton() {
  const { frame } = useTexts();
  return (
    <button
      type="button"
      popoverTarget={MENU}
      aria-label={frame.menu}
      title={frame.menu}
      className={`max-links:hidden ${buttonClass("quiet", "square")}`}
    >
      <CircleUserRound aria-hidden size={20} />
    </button>
  );
}

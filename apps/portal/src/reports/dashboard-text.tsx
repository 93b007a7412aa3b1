import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { LightText } from "@findersfee/ui/components/light-text";
import { useState } from "react";
import { useTexts } from "../language/language.tsx";
import { useSession } from "../session/session.tsx";

/** Longer texts are cut, until the reader wants all of them. */
const CUT_AFTER = 600;
const CUT_LINES = 10;

/** The organization's text for its affiliates. */
export function DashboardText({ text }: { text: string }) {
  const { home } = useTexts();
  const { program } = useSession();
  const [is_whole, setWhole] = useState(false);
  const is_long = text.length > CUT_AFTER || text.split("\n").length > CUT_LINES;
  return (
    <Card title={home.from(program.organization_name.slice(0, 100))}>
      <div className={is_long && !is_whole ? "line-clamp-10" : ""}>
        <LightText text={text} />
      </div>
      {is_long && (
        <Button
          look="quiet"
          className="mt-2 -ml-3"
          aria-expanded={is_whole}
          onClick={() => setWhole(!is_whole)}
        >
          {is_whole ? home.less : home.more}
        </Button>
      )}
    </Card>
  );
}

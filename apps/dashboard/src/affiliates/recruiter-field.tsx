import { Button } from "@findersfee/ui/components/button";
import type { Option } from "@findersfee/ui/overlays/items";
import { useState } from "react";
import { AffiliateField } from "./affiliate-field.tsx";
import { texts } from "./form-texts.ts";

/** Who recruited a new affiliate, as `recruited_by` in a form; nobody, unless one is chosen. */
export function RecruiterField({ error }: { error: string | undefined }) {
  const [chosen, setChosen] = useState<Option | null>(null);
  return (
    <div className="grid gap-2">
      <AffiliateField
        label={texts.recruiter}
        hint={texts.recruiter_hint}
        optional
        chosen={chosen}
        onChoose={setChosen}
        error={error}
      />
      {chosen !== null && (
        <div>
          <input type="hidden" name="recruited_by" value={chosen.value} />
          <Button onClick={() => setChosen(null)}>{texts.no_recruiter}</Button>
        </div>
      )}
    </div>
  );
}

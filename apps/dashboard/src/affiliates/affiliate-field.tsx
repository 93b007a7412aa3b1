import { Field } from "@findersfee/ui/components/field";
import { Combobox } from "@findersfee/ui/overlays/combobox";
import type { Option } from "@findersfee/ui/overlays/items";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../session/session.tsx";
import { nameOf } from "./name.ts";

/** Options of a search; more are found by typing more. */
export const SHOWN_OPTIONS = 20;

export interface ChoiceFieldProps {
  chosen: Option | null;
  onChoose: (option: Option) => void;
  error: string | undefined;
  /** Whether the options are shown from the beginning. */
  starts_open?: boolean;
}

const texts = { affiliate: "Affiliate", find: "Find by name, email or code" };

interface AffiliateFieldProps extends ChoiceFieldProps {
  label?: string;
  hint?: string | undefined;
  optional?: boolean;
}

/** An affiliate, found by the beginning of a name, email or code. */
export function AffiliateField({
  chosen,
  onChoose,
  error,
  starts_open = false,
  label = texts.affiliate,
  hint,
  optional = false,
}: AffiliateFieldProps) {
  const { api, organization } = useSession();
  const [text, setText] = useState("");
  const input = { limit: SHOWN_OPTIONS, ...(text.trim() === "" ? {} : { text }) };
  const { data, isFetching } = useQuery({
    queryKey: [organization.id, "affiliates", "options", input],
    queryFn: ({ signal }) => api.dashboard.affiliates.list.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
  const options = data?.data.map((row) => ({ value: row.id, label: nameOf(row), detail: row.email })) ?? [];
  return (
    <Field label={label} hint={hint} required={!optional} optional={optional} error={error}>
      {(control, label_id) => (
        <Combobox
          control={control}
          labelled_by={label_id}
          label={label}
          options={options}
          chosen={chosen}
          onChoose={onChoose}
          placeholder={texts.find}
          onSearch={setText}
          loading={isFetching}
          starts_open={starts_open}
        />
      )}
    </Field>
  );
}

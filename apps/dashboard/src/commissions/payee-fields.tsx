import { Field } from "@findersfee/ui/components/field";
import { Combobox } from "@findersfee/ui/overlays/combobox";
import type { Option } from "@findersfee/ui/overlays/items";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ChoiceFieldProps, SHOWN_OPTIONS } from "../affiliates/affiliate-field.tsx";
import { useSession } from "../session/session.tsx";
import { new_texts } from "./new-texts.ts";
import { texts } from "./texts.ts";

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** The value of the option of a customer who is not known yet. */
const NEW_CUSTOMER = "new";

/** A customer of the affiliate, or a new one. */
export function CustomerField({
  affiliate,
  chosen,
  onChoose,
  error,
}: ChoiceFieldProps & { affiliate: Option | null }) {
  const { api, organization } = useSession();
  const [text, setText] = useState("");
  const typed = text.trim();
  const input = {
    limit: SHOWN_OPTIONS,
    affiliate_id: affiliate?.value ?? "",
    ...(typed === "" ? {} : { text: typed }),
  };
  const { data, isFetching } = useQuery({
    queryKey: [organization.id, "referrals", "options", input],
    queryFn: ({ signal }) => api.dashboard.referrals.list.query(input, { signal }),
    placeholderData: keepPreviousData,
    enabled: affiliate !== null,
  });
  const known = affiliate === null ? [] : (data?.data ?? []);
  const options: Option[] = known.map(({ id, email }) => ({ value: id, label: email }));
  if (affiliate !== null && EMAIL.test(typed) && !known.some(({ email }) => email === typed)) {
    options.push({ value: NEW_CUSTOMER, label: typed, detail: new_texts.new_customer });
  }
  return (
    <Field label={texts.customer} required hint={new_texts.customer_hint} error={error}>
      {(control, label_id) => (
        <Combobox
          control={control}
          labelled_by={label_id}
          label={texts.customer}
          options={options}
          chosen={chosen}
          onChoose={onChoose}
          placeholder={affiliate === null ? new_texts.first_affiliate : new_texts.find_customer}
          onSearch={setText}
          loading={isFetching}
        />
      )}
    </Field>
  );
}

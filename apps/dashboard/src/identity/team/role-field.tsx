import { RadioField } from "@findersfee/ui/components/controls";
import { useState } from "react";
import { type Role, useSession } from "../../session/session.tsx";
import { mayManage } from "./rights.ts";
import { texts } from "./texts.ts";

const ROLES = ["viewer", "admin", "owner"] as const;

/** The role in a form, by the name `role`: those that the person may give. */
export function roleOf(form: FormData): Role {
  return ROLES.find((role) => role === form.get("role")) ?? "viewer";
}

export function RoleField({ initial, onChoose }: { initial: Role; onChoose?: (role: Role) => void }) {
  const { organization } = useSession();
  const [chosen, setChosen] = useState<string>(initial);
  const choose = (value: string) => {
    setChosen(value);
    const role = ROLES.find((one) => one === value);
    if (role !== undefined) onChoose?.(role);
  };
  return (
    <RadioField
      label={texts.role}
      name="role"
      choices={ROLES.filter((one) => mayManage(organization.role, one)).map((value) => ({
        value,
        label: texts.roles[value],
        hint: texts.role_hints[value],
      }))}
      chosen={chosen}
      onChoose={choose}
    />
  );
}

import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { useNavigation } from "@findersfee/ui/navigation";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { post } from "../requests/post.ts";
import { Entrance } from "./entrance.tsx";
import { FormFailure } from "./form-failure.tsx";
import { texts } from "./texts.ts";
import { useSubmit } from "./use-submit.ts";

const route = getRouteApi("/sign-in/second-step");

export function SecondStepPage() {
  const { to = "/" } = route.useSearch();
  const { navigate } = useNavigation();
  const client = useQueryClient();
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ code = "" }) => post("/auth/sign-in/second-factor", { code: code.trim() }),
    () => {
      client.clear();
      navigate(to);
    },
  );
  return (
    <Entrance title={texts.second_step} hint={texts.second_step_hint}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <TextField
          label={texts.code}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          error={errorOf("code")}
        />
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.continue}
        </Button>
      </form>
    </Entrance>
  );
}

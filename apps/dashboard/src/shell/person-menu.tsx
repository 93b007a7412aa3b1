import { useNavigation } from "@findersfee/ui/navigation";
import type { MenuItem } from "@findersfee/ui/overlays/items";
import { Menu } from "@findersfee/ui/overlays/menu";
import { useToast } from "@findersfee/ui/overlays/toast";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useSetPreferences } from "../session/preferences.ts";
import { useSession, useSignOut } from "../session/session.tsx";
import { Avatar } from "./avatar.tsx";
import { texts } from "./texts.ts";
import { setTheme, THEMES, useTheme } from "./theme.ts";

export function PersonMenu() {
  const { me, organization } = useSession();
  const { navigate } = useNavigation();
  const theme = useTheme();
  const setPreferences = useSetPreferences();
  const signOut = useSignOut();
  const toast = useToast();
  const items: MenuItem[] = [
    { kind: "heading", id: "email", label: me.user.email },
    { kind: "heading", id: "appearance", label: texts.appearance },
    ...THEMES.map(
      (one): MenuItem => ({
        kind: "choice",
        id: one,
        label: texts.themes[one],
        chosen: one === theme,
        run: () => {
          setTheme(one);
          void setPreferences({ theme: one });
        },
      }),
    ),
    { kind: "line", id: "line" },
    {
      kind: "choice",
      id: "shortcuts",
      label: texts.shortcuts,
      chosen: me.preferences.shortcuts,
      run: (shortcuts) => void setPreferences({ shortcuts }),
    },
    {
      kind: "action",
      id: "account",
      label: texts.account,
      run: () => navigate(`/me?from=${organization.slug}`),
    },
    {
      kind: "action",
      id: "documentation",
      label: texts.documentation,
      run: () => window.open(`${APPLICATION_PATH}/docs/`, "_blank", "noopener"),
    },
    { kind: "line", id: "end" },
    {
      kind: "action",
      id: "sign-out",
      label: texts.sign_out,
      run: () => signOut().catch((error) => toast({ text: failureOf(error).message, tone: "failed" })),
    },
  ];
  return (
    <Menu look="quiet" shape="row" align="start" items={items} className="justify-start">
      <Avatar name={me.user.name} round />
      <span className="min-w-0 flex-1 truncate text-left not-full:sr-only max-wide:not-sr-only">
        {me.user.name}
      </span>
    </Menu>
  );
}

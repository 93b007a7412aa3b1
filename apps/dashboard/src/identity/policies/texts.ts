export const texts = {
  title: "Security",
  owners_only: "Only owners can change these policies.",
  second_factor: "Second factor",
  second_factor_hint:
    "Members without an authenticator app must set one up before they can continue here. API keys are not affected.",
  require_second_factor: "Require an authenticator app for every member",
  sessions: "Sessions",
  sessions_hint:
    "After these times, members must sign in again to open this organization. Others are not affected.",
  session_hours: "Hours after sign-in",
  session_hours_hint: "1 to 720. Leave empty for 30 days.",
  idle_minutes: "Minutes without use",
  idle_minutes_hint:
    "5 to 1,440. Leave empty for no limit. An open page that refreshes itself counts as use.",
  networks: "Allowed networks",
  networks_hint:
    "One IPv4 or IPv6 address or network per line, up to 50, such as 192.0.2.0/24. Leave empty for anywhere. Publishable keys work anywhere.",
  key_networks: "For secret API keys",
  staff_networks: "For members",
  staff_networks_hint: "Must include your own address.",
  approval: "Approval of payout runs",
  approval_hint:
    "Another owner or admin approves runs above these amounts before anything is paid. Runs within 30 days that needed no approval are added up.",
  require_approval: "Require approval for large payout runs",
  amounts: "Amounts",
  amounts_hint: "One currency per line, such as 5000 USD. Runs in any other currency always need approval.",
  not_amounts: (line: string) => `“${line}” is not an amount with its currency, such as 5000 USD.`,

  set_up_title: (organization: string) => `${organization} requires an authenticator app`,
  set_up_hint: "Set one up to continue. Your other organizations are not affected.",
  go_on: "Continue",
  sign_in_title: "Sign in again",
  sign_in: "Sign in",
  network_title: "This network is not allowed",
  try_again: "Try again",
};

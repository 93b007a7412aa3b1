export const texts = {
  start: "Ban…",
  title: (name: string) => `Ban ${name}?`,
  title_of_several: (count: number) => `Ban ${count} affiliates?`,
  hint: "Nothing is attributed to the affiliate any more, and the portal shows what is still owed. You can end the ban at any time.",
  hint_of_several:
    "Nothing is attributed to these affiliates any more, and the portal shows each what is still owed. You can end the bans at any time.",
  reason: "Reason",
  reason_hint: "The affiliate reads it in the portal.",
  reason_hint_of_several: "Each of them reads it in the portal.",
  cancel: "Cancel",
  confirm: "Ban",
};

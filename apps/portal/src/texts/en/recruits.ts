export const recruits = {
  title: "Recruit affiliates",
  terms: (percent: string, months: number) =>
    `You get ${percent}% of the commissions of affiliates who join by your link, for payments of their first ${months === 1 ? "month" : `${months} months`}.`,
  link: "Your link for new affiliates",
  unnamed: "Affiliate",
  until: (percent: string, day: string) => `${percent}% for payments until ${day}`,
};

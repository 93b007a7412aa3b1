export const texts = {
  banner: (name: string) => `Test data of ${name}. No affiliate is paid, and nothing here counts.`,
  back_to: (name: string) => `Back to ${name}`,
  remove: "Remove test data",
  remove_title: "Remove the test data?",
  remove_hint:
    "The played sales, their affiliate and their commissions are gone from the dashboard for everybody. The next sale that you play begins anew.",
  removed: "The test data is removed",
  cancel: "Cancel",
};

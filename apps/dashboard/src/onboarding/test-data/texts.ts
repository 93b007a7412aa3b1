export const texts = {
  banner: (name: string) => `Test data of ${name}. No affiliate is paid, and nothing here counts.`,
  back_to: (name: string) => `Back to ${name}`,
  remove: "Remove test data",
  remove_title: "Remove the test data?",
  remove_hint:
    "The simulated sales, their affiliate and their commissions are removed from the dashboard for everyone. The next simulated sale starts over.",
  removed: "Test data removed",
  cancel: "Cancel",
};

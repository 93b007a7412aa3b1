export const texts = {
  restored: "Restored",
  discard: "Discard",
};

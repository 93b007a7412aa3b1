export const texts = {
  restored: "Restored",
  discard: "Discard",
  save: "Save",
  saved: "Saved",
};

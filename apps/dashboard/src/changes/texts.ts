export const texts = {
  cancel: "Cancel",
};

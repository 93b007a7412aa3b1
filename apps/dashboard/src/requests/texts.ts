export const texts = {
  again_in: (seconds: number) => `${seconds} s left.`,
};

/** The floor of S1 alone: making the objects at all. Its response is text. */
export const peer = {
  takesText: true,
  engine() {
    let posts;
    return {
      write: (text) => void (posts = JSON.parse(text)),
      read: () => posts,
    };
  },
};

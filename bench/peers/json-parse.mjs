/** The floor of S1: it only creates the objects from the text of the response. */
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

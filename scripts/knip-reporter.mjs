// Prints how many files knip looked at, so that the check can tell "no fault" from "nothing looked at".
export default function report({ counters }) {
  console.log(`looked at ${counters.processed} files`);
}

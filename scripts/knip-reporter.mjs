// Prints how many files knip has read, so that the check can distinguish "no fault" from "no file was read".
export default function report({ counters }) {
  console.log(`looked at ${counters.processed} files`);
}

/**
 * The targets of a row, which are checked with the medians of one run. `figure` has the figures of one size, by
 * the names of the peers; a figure is `undefined` if its cell did not run.
 */
const wanted = (text, verdict) => ({ text, verdict });

/** Rejoin must take at most `1 / factor` of the time of the peer. */
export const fasterThan = (peer, factor, size, variant = '') =>
  wanted(`≥ ${factor}× ${peer}${at(size, variant)}`, (figure) => {
    const [ours, theirs] = [figure(size, variant, 'rejoin'), figure(size, variant, peer)];
    return ours && theirs && { reached: theirs / ours >= factor, got: `${(theirs / ours).toPrecision(3)}×` };
  });

/** Rejoin must take at most `factor` times the time of the peer. */
export const within = (factor, peer, size, variant = '') =>
  wanted(`≤ ${factor}× ${peer}${at(size, variant)}`, (figure) => {
    const [ours, theirs] = [figure(size, variant, 'rejoin'), figure(size, variant, peer)];
    return ours && theirs && { reached: ours / theirs <= factor, got: `${(ours / theirs).toPrecision(3)}×` };
  });

/** One variant of Rejoin must take at most `factor` times the time of another variant. */
export const withinVariant = (factor, variant, other, size) =>
  wanted(`≤ ${factor}× ${other}${at(size, variant)}`, (figure) => {
    const [ours, theirs] = [figure(size, variant, 'rejoin'), figure(size, other, 'rejoin')];
    return ours && theirs && { reached: ours / theirs <= factor, got: `${(ours / theirs).toPrecision(3)}×` };
  });

export const atMost = (limit, unit, size, variant = '') =>
  wanted(`≤ ${limit} ${unit}${at(size, variant)}`, (figure) => {
    const ours = figure(size, variant, 'rejoin');
    return ours && { reached: ours <= limit, got: `${ours.toPrecision(3)} ${unit}` };
  });

/** The largest size must take at most `factor` times the time of the smallest. */
export const flat = (factor, sizes, variant = '') =>
  wanted(`flat from ${short(sizes[0])} to ${short(sizes.at(-1))} (≤ ${factor}×)`, (figure) => {
    const [least, most] = [figure(sizes[0], variant, 'rejoin'), figure(sizes.at(-1), variant, 'rejoin')];
    return least && most && { reached: most / least <= factor, got: `${(most / least).toPrecision(3)}×` };
  });

export const short = (size) => (size >= 1000 ? `${size / 1000}k` : `${size}`);
const at = (size, variant) => ` at ${short(size)}${variant ? `, ${variant}` : ''}`;

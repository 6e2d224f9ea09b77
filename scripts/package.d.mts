/** Packs the package in folder `from` as npm would publish it, and installs it in `folder`. */
export declare function installPacked(
  folder: string,
  from?: string,
): { readonly tarball: string; readonly files: readonly string[] };

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether this is no production build. */
export function isDevelopment(): boolean {
  try {
    // Bundlers put the word itself here; a page without one has no process.
    return process.env.NODE_ENV !== 'production';
  } catch {
    return true;
  }
}

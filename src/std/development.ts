declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether this is a development build. */
export function isDevelopment(): boolean {
  try {
    // Bundlers replace the expression by its value. A page that was not bundled has no `process`.
    return process.env.NODE_ENV !== 'production';
  } catch {
    return true;
  }
}

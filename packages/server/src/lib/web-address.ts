/** The address, if a page may load or link to it. */
export function webAddress(text: string | null | undefined): URL | undefined {
  const url = text && URL.canParse(text) ? new URL(text) : undefined
  // A host may contain characters that have a meaning in a policy.
  return url && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host) ? url : undefined
}

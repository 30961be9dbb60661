/** 3661 → 1h1m1s, as in the `t` of addresses. */
export function timeInAddress(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [whole % 60, 's'],
  ] as const
  return (
    parts
      .filter(([count]) => count > 0)
      .map((part) => part.join(''))
      .join('') || '0s'
  )
}

/** The address of the share page, at this second of the film. */
export function linkAt(shareUrl: string, seconds: number): string {
  const url = new URL(shareUrl, document.baseURI)
  if (seconds >= 1) url.searchParams.set('t', timeInAddress(seconds))
  return url.href
}

/** Frames and pages without TLS may have no clipboard. There the old way still works. */
function copyFromField(root: ShadowRoot, text: string): boolean {
  const field = Object.assign(document.createElement('textarea'), { value: text })
  field.style.cssText = 'position:absolute;opacity:0;pointer-events:none'
  root.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}

/** Copies a text. Returns whether that was possible. */
export async function copyText(root: ShadowRoot, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(root, text)
  }
}

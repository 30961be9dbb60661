const openName = 'zoetrope:shortcuts'

/** Shows the list of keyboard shortcuts. */
export const showShortcuts = (): void => void window.dispatchEvent(new Event(openName))

export function onShowShortcuts(run: () => void): () => void {
  window.addEventListener(openName, run)
  return () => window.removeEventListener(openName, run)
}

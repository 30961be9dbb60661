let files: readonly File[] = []
const listeners = new Set<() => void>()

/** Files that were dropped anywhere on the dashboard, until the upload page takes them. */
export const droppedFiles = {
  put(next: readonly File[]): void {
    files = next
    for (const listener of listeners) listener()
  },
  take(): readonly File[] {
    const taken = files
    files = []
    return taken
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

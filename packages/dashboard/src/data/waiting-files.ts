/** A file that was chosen for upload. A page cannot keep the file itself: when it is closed, only this is left. */
interface WaitingFile {
  readonly name: string
  readonly size: number
  readonly active: boolean
  /** The video whose film it replaces. */
  readonly videoId?: string
}

const waitingFilesKey = (channelId: string) => `zoetrope.waiting.${channelId}`

const isSame = (a: Pick<WaitingFile, 'name' | 'size'>, b: Pick<WaitingFile, 'name' | 'size'>) =>
  a.name === b.name && a.size === b.size

/** The files of a channel whose upload has not begun. The browser keeps them across visits. */
export const waitingFiles = {
  get(channelId: string): readonly WaitingFile[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(waitingFilesKey(channelId)) ?? '[]')
      return Array.isArray(kept) ? kept : []
    } catch {
      return []
    }
  },
  add(channelId: string, file: WaitingFile): void {
    write(channelId, [...without(channelId, file), file])
  },
  remove(channelId: string, file: Pick<WaitingFile, 'name' | 'size'>): void {
    write(channelId, without(channelId, file))
  },
  isSame,
}

const without = (channelId: string, file: Pick<WaitingFile, 'name' | 'size'>) =>
  waitingFiles.get(channelId).filter((each) => !isSame(each, file))

function write(channelId: string, files: readonly WaitingFile[]): void {
  try {
    if (files.length === 0) localStorage.removeItem(waitingFilesKey(channelId))
    else localStorage.setItem(waitingFilesKey(channelId), JSON.stringify(files))
  } catch {
    // A browser that keeps nothing still uploads.
  }
}

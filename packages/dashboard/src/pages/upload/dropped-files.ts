/** Extensions of files whose type browsers do not know, or name differently. */
const endings = [
  ...[
    'mp4',
    'm4v',
    'mov',
    'mkv',
    'webm',
    'avi',
    'mpg',
    'mpeg',
    'ts',
    'm2ts',
    'mts',
    'wmv',
    'flv',
    'f4v',
    'ogv',
  ],
  ...['3gp', '3g2', 'mxf', 'vob', 'asf', 'dv', 'm2v', 'divx'],
  ...[
    'mp3',
    'm4a',
    'aac',
    'wav',
    'flac',
    'ogg',
    'oga',
    'opus',
    'wma',
    'aif',
    'aiff',
    'ac3',
    'mka',
    'caf',
    'amr',
  ],
]
const isKnownEnding = new RegExp(`\\.(${endings.join('|')})$`, 'i')

/** The `accept` attribute of the file input. */
export const acceptedFiles = ['video/*', 'audio/*', ...endings.map((ending) => `.${ending}`)].join()

/** Whether a file looks like video or audio by its type and name. */
const isMedia = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /^(video|audio)\//.test(type) || isKnownEnding.test(name)

/** Files that operating systems leave in folders, such as Thumbs.db. */
const isLitter = ({ name }: Pick<File, 'name'>): boolean => /^(\.|Thumbs\.db$|desktop\.ini$)/i.test(name)

/** Separates files that can become videos from those that cannot. */
export function sortOut<T extends Pick<File, 'name' | 'type'>>(files: readonly T[]) {
  const meant = files.filter((file) => !isLitter(file))
  return { taken: meant.filter(isMedia), refused: meant.filter((file) => !isMedia(file)) }
}

/** The dropped files, including those inside folders. */
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  // Read immediately: the transfer is empty after the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry())
  const files = [...transfer.files]
  return entries.some(Boolean) ? (await Promise.all(entries.map(filesIn))).flat() : files
}

async function filesIn(entry: FileSystemEntry | null): Promise<File[]> {
  if (!entry) return []
  if (entry.isFile)
    return new Promise((resolve) => {
      ;(entry as FileSystemFileEntry).file(
        (file) => resolve([file]),
        () => resolve([]),
      )
    })
  const children = await childrenOf(entry as FileSystemDirectoryEntry)
  return (await Promise.all(children.map(filesIn))).flat()
}

/** The entries of a folder. A reader returns them in batches, and an empty batch at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]))
    })
    if (some.length === 0) return found
    found.push(...some)
  }
}

const films = /\.(mp4|m4v|mov|mkv|webm|avi|mpe?g|ts|m2ts|mts|wmv|flv|ogv|3gp|mxf)$/i

export const isFilm = ({ name, type }: File): boolean => type.startsWith('video/') || films.test(name)

/** The films among what was dropped, folders and all that is in them included. */
export async function filmsIn(transfer: DataTransfer): Promise<File[]> {
  // Read at once: after the event the transfer is empty.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry())
  const files = [...transfer.files]
  const found = entries.some(Boolean) ? (await Promise.all(entries.map(filesIn))).flat() : files
  return found.filter(isFilm)
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

/** A reader gives some of them at a time, and none at the end. */
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

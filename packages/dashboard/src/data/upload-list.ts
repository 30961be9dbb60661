import { useSyncExternalStore } from 'react'

export type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed'

/** A file being uploaded. */
export interface UploadItem {
  readonly id: string
  readonly name: string
  readonly size: number
  /** The channel it is uploaded to. The user may have switched to another channel since. */
  readonly channel: { readonly _id: string; readonly name: string }
  readonly sent: number
  /** Recent speed in bytes per second. */
  readonly speed: number
  readonly state: UploadState
  /** No progress for a while: the server or the connection is down. */
  readonly isStalled?: boolean
  readonly problem?: unknown
  /** The video it belongs to, once known. */
  readonly videoId?: string
}

let items: readonly UploadItem[] = []
const listeners = new Set<() => void>()

/** The uploads of this visit, from all pages. `pages/upload` sends the bytes. */
export const uploadList = {
  get: () => items,
  add(item: UploadItem): void {
    set([...items, item])
  },
  change(id: string, change: Partial<UploadItem>): void {
    set(items.map((item) => (item.id === id ? { ...item, ...change, sent: ahead(item, change) } : item)))
  },
  remove(id: string): void {
    set(items.filter((item) => item.id !== id))
  },
  clear(): void {
    set([])
  },
}

/** After a lost connection, bytes that had not arrived are sent again. The progress bar waits for them. */
const ahead = (item: UploadItem, change: Partial<UploadItem>) => Math.max(item.sent, change.sent ?? 0)

function set(next: readonly UploadItem[]): void {
  items = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploads = (): readonly UploadItem[] => useSyncExternalStore(subscribe, uploadList.get)

export const isUnderWay = ({ state }: UploadItem): boolean => state === 'waiting' || state === 'sending'

export const percentSent = ({ sent, size }: UploadItem): number =>
  size === 0 ? 100 : Math.floor((sent / size) * 100)

/** The share of these uploads that has been sent, from 0 to 1. */
export function shareSent(some: readonly UploadItem[]): number {
  const size = some.reduce((sum, item) => sum + item.size, 0)
  return size === 0 ? 0 : some.reduce((sum, item) => sum + item.sent, 0) / size
}

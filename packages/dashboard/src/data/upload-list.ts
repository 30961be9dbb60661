import { useSyncExternalStore } from 'react'

export type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed'

/** A file on its way to the server. */
export interface UploadItem {
  readonly id: string
  readonly name: string
  readonly size: number
  /** Where it goes: whoever sends it may be in another channel by now. */
  readonly channel: { readonly _id: string; readonly name: string }
  readonly sent: number
  /** Bytes a second, lately. */
  readonly speed: number
  readonly state: UploadState
  /** Nothing has moved for a while: the server is away, or the line is. */
  readonly isStalled?: boolean
  readonly problem?: unknown
  /** The video it is for, once that is known. */
  readonly videoId?: string
}

let items: readonly UploadItem[] = []
const listeners = new Set<() => void>()

/** The uploads of this visit, on whatever page they were begun. The bytes are sent by pages/upload. */
export const uploadList = {
  get: () => items,
  add(item: UploadItem): void {
    set([...items, item])
  },
  change(id: string, change: Partial<UploadItem>): void {
    set(items.map((item) => (item.id === id ? { ...item, ...change } : item)))
  },
  remove(id: string): void {
    set(items.filter((item) => item.id !== id))
  },
  clear(): void {
    set([])
  },
}

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

/** How much of these has arrived, from 0 to 1. */
export function shareSent(some: readonly UploadItem[]): number {
  const size = some.reduce((sum, item) => sum + item.size, 0)
  return size === 0 ? 0 : some.reduce((sum, item) => sum + item.sent, 0) / size
}

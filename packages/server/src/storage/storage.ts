import type { Readable } from 'node:stream'

export interface ObjectFacts {
  readonly size: number
  readonly modifiedAt: Date
}

export interface ListedObject extends ObjectFacts {
  readonly key: string
}

/** The bytes asked for, and the facts of the very object they come from. A body that is not read must be destroyed. */
export interface OpenedObject extends ObjectFacts {
  readonly body: Readable
}

/** From `start` to before `end`; what lies behind the object's end is left out. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface Digested {
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
}

export interface WriteLimits {
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface AppendOptions extends WriteLimits {
  /** With it the bytes count only if all of them came and this is their digest. */
  readonly checksum?: { readonly algorithm: 'md5' | 'sha1' | 'sha256'; readonly digest: Uint8Array }
}

/** An object that grows, and is seen by nobody until it is finished. */
export interface Upload {
  /** How many bytes are safe, whatever happens to this process or this machine; 0 before the first. */
  offset(): Promise<number>
  /**
   * Continues at the offset, else throws `wrong_offset`. Answers with the new one. If the body breaks off or `signal`
   * aborts, what came before that is kept (unless there is a checksum), and the error is thrown. A later append to the
   * same upload takes over: the earlier one ends with `taken_over`, and adds nothing from then on.
   */
  append(body: AsyncIterable<Uint8Array>, atOffset: number, options?: AppendOptions): Promise<number>
  /** Makes it the object. Safe to repeat: if the object is there already, this answers with its facts. */
  finish(): Promise<Digested>
  abort(): Promise<void>
}

/**
 * Where files live. Keys are our own words, never a caller's: see `keys.ts`. A key is not also the beginning of
 * others: beside `a/b` there is no `a/b/c`. Prefixes are whole words too: `a` is what `a/b` lies under, and not `ab`.
 * What can go wrong is thrown as a StorageError.
 */
export interface Storage {
  /** Writes a whole object, seen by nobody before it is complete. If it does not become complete, nothing has happened. */
  put(key: string, body: AsyncIterable<Uint8Array>, options?: WriteLimits): Promise<Digested>
  /** Takes over a finished local file, which is gone afterwards. */
  putFile(key: string, path: string): Promise<{ size: number }>
  stat(key: string): Promise<ObjectFacts | undefined>
  read(key: string, range?: ByteRange): Promise<OpenedObject | undefined>
  /** Gives an object another key, where it replaces what is there; false if there is no such object. */
  move(from: string, to: string): Promise<boolean>
  /** Removes an object; that there is none is fine. */
  remove(key: string): Promise<void>
  /** Removes all objects under a prefix, in steps; answers with their number. */
  removeUnder(prefix: string): Promise<number>
  /** Objects under a prefix, all of them if it is empty, in the order of their keys' bytes. */
  list(prefix: string, options?: { after?: string; limit?: number }): AsyncIterable<ListedObject>
  /** The next words of the keys under a prefix, each once and in any order, read a page at a time: what lies under `a` for `a/b/c` and `a/b/d` is `b`. */
  names(prefix: string): AsyncIterable<string>
  /** A path to read the object from, for programs that need a file. It keeps its bytes even if the object is replaced. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /** An empty folder of one's own, from which `putFile` is cheap; gone afterwards. */
  withScratch<T>(use: (folder: string) => Promise<T>): Promise<T>
  /** The upload of this key, begun or not: it exists from its first append on. */
  openUpload(key: string): Promise<Upload>
  /** Uploads that were begun, and neither finished nor aborted. */
  listUploads(): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Removes what killed processes left half done, except uploads; answers with the number of things removed. */
  sweep(): Promise<number>
  /** How much more fits, where that is known. */
  freeBytes(): Promise<number | undefined>
}

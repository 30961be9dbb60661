import type { Readable } from 'node:stream'

export interface ObjectFacts {
  readonly size: number
  readonly modifiedAt: Date
}

export interface ListedObject extends ObjectFacts {
  readonly key: string
}

/** The requested bytes, and the facts of the object they come from. An unread body must be destroyed. */
export interface OpenedObject extends ObjectFacts {
  readonly body: Readable
}

/** An object that is read in parts, in any order. */
export interface ObjectParts {
  readonly size: number
  /** Throws `replaced` if the object has got other bytes meanwhile, and `missing` if it is gone. */
  read(range: ByteRange): AsyncIterable<Uint8Array>
}

/** From `start` up to but excluding `end`; limited to the object's size. */
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
  /** How long the body is, if that is known. Very large objects need it. */
  readonly size?: number
  readonly signal?: AbortSignal
}

export interface AppendOptions extends WriteLimits {
  /** If given, the bytes count only if all of them arrive and match this digest. */
  readonly checksum?: { readonly algorithm: 'md5' | 'sha1' | 'sha256'; readonly digest: Uint8Array }
}

/** How an object is sent from its direct address. */
export interface DirectOptions {
  /** How long the address works. */
  readonly seconds: number
  /** The media type. */
  readonly type: string
  /** The Content-Disposition header. */
  readonly disposition?: string
}

/** An object that grows, invisible until it is finished. */
export interface Upload {
  /** How many bytes survive a crash of this process or machine; 0 before the first. */
  offset(): Promise<number>
  /**
   * Appends at the offset, else throws `wrong_offset`. Returns the new offset. If the body breaks off or
   * `signal` aborts, bytes received before that are kept (unless there is a checksum), and the error is
   * thrown. A later append to the same upload takes over: the earlier one ends with `taken_over` and adds
   * nothing more. A chunk of the body may lose its bytes when the next one is requested (lib/giving-back.ts).
   */
  append(body: AsyncIterable<Uint8Array>, atOffset: number, options?: AppendOptions): Promise<number>
  /**
   * Turns it into the object. Safe to repeat: if the object already exists, returns its facts. With a size, throws
   * `wrong_offset` if another writer has made it shorter or longer meanwhile, and `broken` if the object has another size.
   */
  finish(size?: number): Promise<Digested>
  abort(): Promise<void>
}

/**
 * Where files are stored. Keys are our own words, never a caller's: see `keys.ts`. A key is never a prefix of
 * others: beside `a/b` there is no `a/b/c`. Prefixes are whole words: `a/b` is under `a`, `ab` is not.
 * Failures are thrown as StorageError.
 */
export interface Storage {
  /** Writes a complete object, invisible until then. If writing fails, nothing has changed. */
  put(key: string, body: AsyncIterable<Uint8Array>, options?: WriteLimits): Promise<Digested>
  /** Moves a finished local file into the storage. */
  putFile(key: string, path: string): Promise<{ size: number }>
  stat(key: string): Promise<ObjectFacts | undefined>
  read(key: string, range?: ByteRange): Promise<OpenedObject | undefined>
  /** Reads all of an object that never changes and has many readers: perhaps from a copy on this machine. */
  readOften(key: string): Promise<OpenedObject | undefined>
  /** An address at which anybody can read the object; undefined if it does not exist, or has no address of its own. */
  direct(key: string, options: DirectOptions): Promise<string | undefined>
  /** Gives an object another key, replacing what is there; false if the object does not exist. */
  move(from: string, to: string): Promise<boolean>
  /** Deletes an object; does nothing if it does not exist. */
  remove(key: string): Promise<void>
  /** Deletes all objects under a prefix, in steps; returns their number. */
  removeUnder(prefix: string): Promise<number>
  /** Objects under a prefix, or all if it is empty, in byte order of their keys. */
  list(prefix: string, options?: { after?: string; limit?: number }): AsyncIterable<ListedObject>
  /**
   * The distinct next words of the keys under a prefix, in any order, page by page: under `a`, the keys
   * `a/b/c` and `a/b/d` give `b`.
   */
  names(prefix: string): AsyncIterable<string>
  /**
   * A path to the object, for programs that need a file. It keeps its bytes even if the object is replaced.
   */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /**
   * For programs that need only parts of a large file. `undefined` if `withLocalFile` is better, because nothing would
   * have to be fetched for it, or little.
   */
  openParts(key: string): Promise<ObjectParts | undefined>
  /** An empty private folder, from which `putFile` is cheap; deleted afterwards. */
  withScratch<T>(use: (folder: string) => Promise<T>): Promise<T>
  /** The upload of this key, which exists from its first append on. */
  openUpload(key: string): Promise<Upload>
  /** Uploads that were begun, and neither finished nor aborted. */
  listUploads(): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Deletes what killed processes left unfinished, except uploads; returns the number of items. */
  sweep(): Promise<number>
  /** Where it is, if it is on a disk. */
  readonly folder?: string | undefined
  /** The free space, if known. */
  freeBytes(): Promise<number | undefined>
}

/** The lease of this installation on its films. */
export interface LibraryLease {
  /** Whether this installation is the one that uses the films: only then it writes to people and receivers. Never waits. */
  isHeld(): boolean
  /** Looks into the storage. Returns why another installation may be using it, and what to do. */
  check(): Promise<string | undefined>
  /** Call after the row of a new film or image was committed: writes the number that was raised with it. Never fails. */
  noteArrival(): Promise<void>
  /** Notes that no server runs any more, so that the next one may begin in another place at once. Never fails. */
  release(): Promise<void>
}

/** Where files are kept, and how much of them. */
export interface StorageParts {
  readonly storage: Storage
  readonly lease: LibraryLease
  readonly maxUploadBytes: number
  /** The quota of a channel without its own limit; undefined for no limit. */
  readonly channelBytes: number | undefined
}

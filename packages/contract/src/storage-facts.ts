/** The storage of the installation, for owners. */
export interface StorageFacts {
  /** `disk`, or the address of a bucket without its credentials. */
  readonly place: string
  readonly kind: 'disk' | 's3'
  /** Where films are that still have to move; null if all are in one place. */
  readonly old_place: string | null
  readonly films: number
  /** Of the uploaded files, and of everything made from them. */
  readonly bytes: number
  readonly made_bytes: number
  readonly free_bytes: number | null
  /** Why nothing is removed from the storage, and what the operator can do about it. */
  readonly problem: string | null
  /** The last move of films from one place to another. */
  readonly move: StorageMove | null
  readonly check: StorageCheck | null
  readonly verify: StorageVerify | null
}

/** What a storage was found able to do. */
export interface StorageCheck {
  readonly checked_at: string
  readonly results: readonly StorageAbility[]
}

/** One ability of a storage, and whether it has it. */
export interface StorageAbility {
  readonly name: string
  readonly ok: boolean
  readonly sentence: string
  /** What to do if it has not. */
  readonly remedy: string | null
}

/** A look for every file that the database names. */
export interface StorageVerify {
  readonly begun_at: string
  /** Null while it runs, and after it was interrupted. */
  readonly ended_at: string | null
  readonly is_running: boolean
  readonly checked: number
  readonly missing: number
  /** Files with another size than they should have. */
  readonly wrong: number
  readonly examples: readonly { readonly key: string; readonly trouble: 'missing' | 'size' | 'digest' }[]
  /** Why it could not be finished. */
  readonly problem: string | null
}

export interface StorageMove {
  readonly from: string
  readonly to: string
  readonly begun_at: string
  readonly ended_at: string | null
  readonly total_objects: number
  readonly total_bytes: number
  readonly moved_objects: number
  readonly moved_bytes: number
  readonly failed_objects: number
  readonly is_running: boolean
  readonly seconds_left: number | null
  /** Some of the objects that could not be moved. */
  readonly failures: readonly { readonly key: string; readonly reason: string }[]
}

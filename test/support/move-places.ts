import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StorageSettings } from '../../packages/server/src/config/storage-url.js'
import { openStorageOf } from '../../packages/server/src/storage/open-storage.js'
import type { Storage } from '../../packages/server/src/storage/storage.js'
import type { Connection } from './postgres.js'

/** What a process that moves films is told. */
export interface MoverOrder {
  readonly connection: Connection
  readonly from: StorageSettings
  readonly to: StorageSettings
  readonly rate: number | undefined
}

export const openPlace = (settings: StorageSettings): Promise<Storage> =>
  openStorageOf(settings, { cacheDir: join(tmpdir(), 'zoetrope-chaos-cache'), cacheBytes: 1e8 })

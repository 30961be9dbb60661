import { openFileStorage } from '../../packages/server/src/storage/file-storage.js'
import type { Storage } from '../../packages/server/src/storage/storage.js'
import type { Connection } from './postgres.js'

/** A folder. */
export interface MovePlace {
  readonly folder: string
}

/** What a process that moves films is told. */
export interface MoverOrder {
  readonly connection: Connection
  readonly from: MovePlace
  readonly to: MovePlace
  readonly rate: number | undefined
}

export const openPlace = ({ folder }: MovePlace): Promise<Storage> => openFileStorage(folder)

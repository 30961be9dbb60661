import { channelCreate, channelLimit, channelList, channelRemove } from './channel.command.js'
import { databaseCopy, databaseTakeBack } from './database-copy.command.js'
import type { Command } from './define-command.js'
import { keyList, keyRotate } from './key.command.js'
import { migrateCommand } from './migrate.command.js'
import { passwordCommand } from './password.command.js'
import { start } from './start.command.js'
import { adopt, storageRestore, storageSweep } from './storage.command.js'
import { storageCheck } from './storage-check.command.js'
import { storageMove } from './storage-move.command.js'
import { storageStatus, storageVerify } from './storage-status.command.js'
import { worker } from './worker.command.js'

/** Every command by its words. */
export const commands: Readonly<Record<string, Command>> = {
  start,
  worker,
  migrate: migrateCommand,
  adopt,
  'database copy': databaseCopy,
  'database take-back': databaseTakeBack,
  'channel create': channelCreate,
  'channel list': channelList,
  'channel limit': channelLimit,
  'channel remove': channelRemove,
  'key list': keyList,
  'key rotate': keyRotate,
  password: passwordCommand,
  'storage check': storageCheck,
  'storage status': storageStatus,
  'storage move': storageMove,
  'storage verify': storageVerify,
  'storage sweep': storageSweep,
  'storage restore': storageRestore,
}

/** Names that commands had before. They still work. */
export const formerCommands: Readonly<Record<string, Command>> = { 'storage adopt': adopt }

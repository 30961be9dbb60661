import type { StorageSettings } from '../config/storage-url.js'
import { openFileStorage } from './file-storage.js'
import type { S3StorageOptions } from './s3/s3-storage.js'
import type { Storage } from './storage.js'

/** Opens the storage that the settings name. The client of S3 is loaded only if it is used. */
export async function openStorageOf(settings: StorageSettings, options: S3StorageOptions): Promise<Storage> {
  if (settings.kind === 'disk') return openFileStorage(settings.folder)
  const { openS3Storage } = await import('./s3/s3-storage.js')
  return openS3Storage(settings, options)
}

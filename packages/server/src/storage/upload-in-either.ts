import type { Storage, Upload } from './storage.js'
import { StorageError } from './storage-error.js'

/**
 * An upload begun in the old place is continued and finished there; the move then treats it like any other object. All
 * others begin in the new place.
 */
export async function openUploadInEither(
  { to, from }: { readonly to: Storage; readonly from: Storage },
  key: string,
): Promise<Upload> {
  const [inNew, inOld] = [await to.openUpload(key), await from.openUpload(key)]
  const begun = async () => ((await inNew.offset()) === 0 && (await inOld.offset()) > 0 ? inOld : inNew)
  return {
    offset: async () => (await begun()).offset(),
    append: async (body, atOffset, options) => (await begun()).append(body, atOffset, options),
    async finish() {
      const upload = await begun()
      try {
        return await upload.finish()
      } catch (error) {
        // Finished before, in the old place, and perhaps still there.
        const isMissing = error instanceof StorageError && error.reason === 'missing'
        if (upload === inOld || !isMissing) throw error
        return inOld.finish()
      }
    },
    async abort() {
      await inOld.abort()
      await inNew.abort()
    },
  }
}

import type { Storage, Upload } from './storage.js'
import { hasReason } from './storage-error.js'

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
    async finish(size) {
      const upload = await begun()
      try {
        return await upload.finish(size)
      } catch (error) {
        // Finished before, in the old place, and perhaps still there.
        if (upload === inNew && hasReason(error, 'missing')) return inOld.finish(size)
        // Finished before in the old place, but not noted, and moved since.
        const mayBeMoved = upload === inOld && hasReason(error, 'missing', 'broken')
        if (!mayBeMoved || !(await to.stat(key))) throw error
        await inOld.abort()
        return inNew.finish(size)
      }
    },
    async abort() {
      await inOld.abort()
      await inNew.abort()
    },
  }
}

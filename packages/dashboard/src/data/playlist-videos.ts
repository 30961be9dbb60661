import type { Client } from '@zoetrope/sdk'
import { type Failure, inPieces, together } from './send-writes.js'

export interface AddedVideos {
  readonly added: readonly string[]
  /** How many were in the playlist before. */
  readonly already: number
  readonly failures: readonly Failure<string>[]
}

/** Appends videos to a playlist, in the order given. Those already in it stay where they are. */
export async function addToPlaylist(
  client: Client,
  playlistId: string,
  ids: readonly string[],
  onProgress: (done: number, all: number) => void,
): Promise<AddedVideos> {
  const added: string[] = []
  const failures: Failure<string>[] = []
  let already = 0
  for (const some of inPieces(ids)) {
    try {
      const { response } = await client.playlists.videos(playlistId, {
        id: some,
        active: 'all',
        per_page: together,
      })
      const present = new Set(response.map(({ _id }) => _id))
      const missing = some.filter((id) => !present.has(id))
      if (missing.length > 0) await client.playlists.addVideos(playlistId, { video_id: missing })
      added.push(...missing)
      already += present.size
    } catch (error) {
      failures.push(...some.map((item) => ({ item, error })))
    }
    onProgress(added.length + already + failures.length, ids.length)
  }
  return { added, already, failures }
}

/** Takes videos out of a playlist. */
export async function removeFromPlaylist(
  client: Client,
  playlistId: string,
  ids: readonly string[],
): Promise<void> {
  for (const video_id of inPieces(ids)) await client.playlists.removeVideos(playlistId, { video_id })
}

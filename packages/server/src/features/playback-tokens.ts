import { catalog, limits } from '@zoetrope/contract'
import { newSigningKey, type PlaybackTokenClaims, signPlaybackToken } from '../auth/playback-tokens.js'
import { newId } from '../lib/object-id.js'
import { project } from '../resources/projection.js'
import { answer } from '../resources/standard.js'
import { insert } from '../resources/store.js'
import type { CallOf } from './call-of.js'
import { checkNumber } from './check-number.js'
import { fill } from './derived.js'

const most = limits.signing_keys.value
const tooMany = `A channel has at most ${most} signing keys. Remove one that is no longer used first.`

/** Creates a pair of keys. Only this response contains the private one. */
export async function createSigningKey({ parts, resource, scope, body }: CallOf<'signing_keys', 'create'>) {
  const { public_key, private_key } = newSigningKey()
  const record = await parts.database.transaction(async (tx) => {
    await checkNumber(tx, 'signing_keys', scope, most, tooMany)
    return insert(tx, resource, scope, { ...body, public_key })
  })
  return fill(answer(record), { private_key })
}

export async function createVideoToken(call: CallOf<'video_playback_tokens', 'create'>) {
  const { parts, scope, query } = call
  const { video_id = '' } = scope
  const made = tokenFor(call, 'video', video_id)
  const place = (path: string) =>
    `${parts.playerUrl}${path}?${new URLSearchParams({ playback_token: made.token })}`
  const record = {
    ...made,
    video_id,
    watch_url: place(`/watch/${video_id}`),
    embed_url: place(`/embed/${video_id}.html`),
    manifest_url: place(`/manifest/${video_id}.m3u8`),
  }
  return answer(project(query, JSON.stringify(record)))
}

export async function createPlaylistToken(call: CallOf<'playlist_playback_tokens', 'create'>) {
  const { scope, query } = call
  const { playlist_id = '' } = scope
  return answer(project(query, JSON.stringify({ ...tokenFor(call, 'playlist', playlist_id), playlist_id })))
}

const usualSeconds = catalog.video_playback_tokens.fields.expires_in.default

/** Tokens are not stored, so that making one costs no row; a signing key can be removed, and a video unpublished. */
function tokenFor(
  { parts, scope, body }: CallOf<'video_playback_tokens' | 'playlist_playback_tokens', 'create'>,
  audience: PlaybackTokenClaims['audience'],
  subject: string,
) {
  const { site_id } = scope
  const now = new Date()
  const expires_in = Number(body.expires_in ?? usualSeconds)
  const expires = Math.floor(now.getTime() / 1000 + expires_in) * 1000
  const token = signPlaybackToken(parts.sealer, { site_id, audience, subject, expires }, now.getTime())
  return {
    ...{ _id: newId(), site_id, created_at: now, updated_at: now },
    ...{ expires_in, expires_at: new Date(expires), token },
  }
}

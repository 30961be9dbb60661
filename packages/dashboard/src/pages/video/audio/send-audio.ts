import { credentialHeader, ZoetropeError } from '@zoetrope/sdk'
import { origin } from '../../../data/api.js'
import type { Session } from '../../../data/session.js'
import { strings } from './strings.js'

interface NewAudio {
  readonly file: File
  readonly language: string | null
  readonly kind: string
}

/** Uploads an audio track. `fetch` reports no progress of uploads, so this uses the older interface. */
export function sendAudio(
  { channel, csrfToken }: Pick<Session, 'channel' | 'csrfToken'>,
  videoId: string,
  { file, language, kind }: NewAudio,
  onProgress: (share: number) => void,
): Promise<void> {
  const form = new FormData()
  // Fields before the file are checked before it is sent.
  form.set('audio_track[kind]', kind)
  if (language !== null) form.set('audio_track[language]', language)
  form.set('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${origin}/videos/${videoId}/audio_tracks`)
    const headers = credentialHeader({ session: { channelId: channel._id, csrfToken } })
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => (request.status === 201 ? resolve() : reject(refusalOf(request)))
    request.onerror = () => reject(new Error(strings.lost))
    request.send(form)
  })
}

function refusalOf({ status, responseText }: XMLHttpRequest): ZoetropeError {
  try {
    const { message, code } = JSON.parse(responseText) as { message?: string; code?: string }
    return new ZoetropeError(message ?? responseText, { status, code: code ?? 'refused' })
  } catch {
    return new ZoetropeError(responseText, { status, code: 'refused' })
  }
}

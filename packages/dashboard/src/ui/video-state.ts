import type { Video } from '../data/records.js'
import { shortMoment } from './numbers.js'
import { strings } from './strings.js'

/** Everything that decides what a video's status is called. */
export type JudgedVideo = Pick<Video, 'status' | 'active'> &
  Partial<
    Pick<
      Video,
      | 'enable_at'
      | 'status_reason'
      | 'subscription_required'
      | 'pass_required'
      | 'purchase_required'
      | 'rental_required'
      | 'registration_required'
      | 'redemption_code_required'
    >
  >

export interface Label {
  readonly words: string
  readonly tone: 'good' | 'busy' | 'bad' | 'quiet'
}

export interface VideoState extends Label {
  /** Why its film, or a new film for it, failed. */
  readonly reason: string | undefined
  /** What else somebody should know, such as that only subscribers may watch it. */
  readonly notes: readonly Label[]
}

interface Moment {
  readonly now?: number
  /** How much of its film has arrived, in per cent, while it is being uploaded. */
  readonly percent?: number | undefined
}

/** The status of a video in one or two words: what keeps viewers from watching it, or that they can. */
export function stateOf(video: JudgedVideo, { now = Date.now(), percent }: Moment = {}): VideoState {
  const reason = video.status_reason ?? undefined
  return { ...labelOf(video, now, percent), reason, notes: notesOn(video) }
}

function labelOf({ status, active, enable_at }: JudgedVideo, now: number, percent?: number): Label {
  if (status === 'deleted') return { words: strings.states.trash, tone: 'quiet' }
  if (status === 'uploading' || (percent !== undefined && status !== 'ready'))
    return { words: strings.states.uploading(percent), tone: 'busy' }
  if (status === 'failed') return { words: strings.states.failed, tone: 'bad' }
  if (status === 'processing') return { words: strings.states.processing, tone: 'busy' }
  if (status === 'created') return { words: strings.states.noFilm, tone: 'quiet' }
  if (active) return { words: strings.states.published, tone: 'good' }
  if (enable_at && Date.parse(enable_at) > now)
    return { words: strings.states.scheduled(shortMoment(enable_at, now)), tone: 'busy' }
  return { words: strings.states.draft, tone: 'quiet' }
}

function notesOn(video: JudgedVideo): Label[] {
  if (video.status === 'deleted') return []
  const isReplacementFailed = video.status === 'ready' && (video.status_reason ?? null) !== null
  return [
    ...(isReplacementFailed ? [{ words: strings.states.newFilmFailed, tone: 'bad' } as const] : []),
    ...accessNote(video),
  ]
}

/** Subscribers are named only if nobody else can get in, for example by buying the video. */
function accessNote(video: JudgedVideo): Label[] {
  const isOtherwise = video.pass_required || video.purchase_required || video.rental_required
  if (isOtherwise || video.redemption_code_required) return [{ words: strings.states.limited, tone: 'quiet' }]
  if (video.subscription_required) return [{ words: strings.states.subscribers, tone: 'quiet' }]
  return video.registration_required ? [{ words: strings.states.signedIn, tone: 'quiet' }] : []
}

/** Whether nobody can watch it, whatever is chosen: its only film has failed, or has not arrived. */
export const isUnwatchable = <V extends Pick<Video, 'status' | 'playable_at'>>(
  video: V,
): video is V & { readonly status: 'failed' | 'uploading' } =>
  video.playable_at === null && (video.status === 'failed' || video.status === 'uploading')

const lookAgainMs = 4000

interface ListOfVideos {
  readonly state: { readonly data?: { readonly response: readonly Pick<Video, 'status'>[] } | undefined }
}

/** How soon a list is fetched again: often while a film in it is on its way, otherwise never. */
export const whileUnderWay = ({ state }: ListOfVideos): number | false =>
  state.data?.response.some(({ status }) => status === 'uploading' || status === 'processing')
    ? lookAgainMs
    : false

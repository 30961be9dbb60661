import type { AdBreak } from './ads.js'
import type { Chapter } from './chapters.js'
import type { PlayerOptions } from './options.js'
import { problemOfStatus } from './problems.js'
import type { SubtitleFile } from './transcript-lines.js'

/** A chapter as the API returns it, in milliseconds. */
interface Segment {
  readonly start?: number | null
  readonly end?: number | null
  readonly description?: string | null
}

interface PlayerJson {
  readonly message?: string
  readonly code?: string
  readonly response?: {
    readonly video?: {
      readonly title?: string
      readonly segments?: readonly Segment[] | null
      readonly thumbnails?: readonly { readonly url?: string; readonly width?: number }[]
    }
    readonly body?: {
      readonly outputs?: readonly { readonly name?: string; readonly url?: string }[]
      readonly poster?: string
      readonly status_url?: string
      readonly storyboard?: string
      readonly subtitles?: readonly (SubtitleFile & { readonly forced?: boolean })[]
      readonly advertising?: {
        readonly schedule?: readonly AdBreak[]
        readonly interval_count?: number
        readonly scope?: 'library' | 'video'
      }
      readonly analytics?: { readonly beacon?: string }
    }
    readonly player?: {
      readonly color?: string | null
      readonly logo_url?: string | null
      readonly autoplay?: boolean
      readonly muted?: boolean
      readonly loop?: boolean
      readonly controls?: boolean
      readonly start?: number
    }
  }
}

const chapterOf = ({ start, end, description }: Segment): Chapter => ({
  start: (start ?? 0) / 1000,
  ...(end == null ? {} : { end: end / 1000 }),
  title: description ?? '',
})

/** Forced subtitles translate single words, and make no transcript. */
function subtitlesIn(subtitles: readonly (SubtitleFile & { readonly forced?: boolean })[]) {
  const whole = subtitles.filter(({ forced }) => !forced)
  return whole.length === 0
    ? undefined
    : whole.map(({ file, label, language }) => ({ file, label, language }))
}

/** Converts the response of `/embed/{id}.json` to player options. */
export function optionsOf(status: number, json: PlayerJson): PlayerOptions {
  if (status !== 200) {
    const { code, message, reason } = problemOfStatus(status, json)
    return { problem: code, message, reason }
  }
  const { video, body, player } = json.response ?? {}
  const outputs = body?.outputs ?? []
  const widest = [...(video?.thumbnails ?? [])].sort((a, b) => (b.width ?? 0) - (a.width ?? 0))[0]
  return {
    title: video?.title,
    poster: body?.poster ?? widest?.url,
    src: outputs.find(({ name }) => name === 'm3u8' || name === 'hls')?.url,
    file: outputs.find(({ name }) => name === 'mp4' || name === 'webm')?.url,
    statusUrl: body?.status_url,
    storyboard: body?.storyboard,
    chapters: video?.segments?.length ? video.segments.map(chapterOf) : undefined,
    subtitles: subtitlesIn(body?.subtitles ?? []),
    beacon: body?.analytics?.beacon,
    ads: body?.advertising?.schedule,
    adsEvery: body?.advertising?.interval_count,
    adsScope: body?.advertising?.scope,
    accent: player?.color ?? undefined,
    logo: player?.logo_url ?? undefined,
    autoplay: player?.autoplay,
    muted: player?.muted,
    loop: player?.loop,
    controls: player?.controls,
    start: player?.start,
  }
}

/** Requests a video's player JSON. Without a response, the player shows a network error. */
export async function fetchOptions(url: string): Promise<PlayerOptions> {
  try {
    const reply = await fetch(url)
    return optionsOf(reply.status, (await reply.json()) as PlayerJson)
  } catch {
    return { problem: 'network', message: 'Please load the page again in a moment.' }
  }
}

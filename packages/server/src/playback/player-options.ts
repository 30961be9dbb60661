import { advertisingOf } from './ad-schedule.js'
import { beaconAddress, statusAddress } from './addresses.js'
import type { PlayerRequest } from './caller.js'
import type { PlayerOptions, VideoChapter } from './embed-page.js'
import { outputsOf, playableIn } from './files.js'
import { storyboardOf } from './pictures.js'
import type { Playback } from './playback.js'
import type { PlayerParameters } from './player-parameters.js'
import { subtitleFiles } from './subtitles.js'
import { posterOf } from './thumbnails.js'
import type { PlayerChannel, PlayerRecord } from './videos.js'

/** The options of the player on a page. */
export async function playerOptions(
  playback: Playback,
  requested: PlayerRequest,
  parameters: PlayerParameters,
): Promise<PlayerOptions> {
  const { seen, video, isCounted } = requested
  const { record, source, channel } = video
  const { audio } = parameters
  const advertising = await advertisingOf(playback, requested)
  return {
    videoId: record._id,
    title: record.title,
    ...playableIn(outputsOf(playback, seen, video, audio)),
    poster: posterOf(record),
    storyboard: audio ? undefined : await storyboardOf(playback, source),
    chapters: chaptersOf(record),
    subtitles: await transcriptsOf(playback, requested),
    ...(audio || (source && !source.plan.facts.video) ? { audio: true } : {}),
    statusUrl: statusAddress(playback, seen, record._id),
    beacon: isCounted ? beaconAddress(playback, seen, record._id) : undefined,
    ads: advertising?.schedule,
    adsEvery: advertising?.interval_count,
    adsScope: advertising?.scope,
    ...lookOf(channel, parameters),
  }
}

/** Forced subtitles translate single words, and make no transcript. */
async function transcriptsOf(playback: Playback, { seen, video }: PlayerRequest) {
  const whole = (await subtitleFiles(playback, seen, video)).filter(({ forced }) => !forced)
  if (whole.length === 0) return undefined
  return whole.map(({ file, label, language }) => ({ file, label, language }))
}

/** In seconds, like all player options; undefined if there are none. */
function chaptersOf({ segments }: Pick<PlayerRecord, 'segments'>): readonly VideoChapter[] | undefined {
  if (!segments?.length) return undefined
  return segments.map(({ start, end, description }) => ({
    start: start / 1000,
    ...(end === null ? {} : { end: end / 1000 }),
    title: description,
  }))
}

type Look = Pick<PlayerOptions, 'accent' | 'logo' | 'autoplay' | 'muted' | 'loop' | 'controls' | 'start'>

/** The look from the address, else from the channel; only values that differ from the player's defaults. */
export function lookOf(channel: PlayerChannel, { audio, color, ...parameters }: PlayerParameters): Look {
  const { player_color, player_logo_url, player_autoplay, player_muted, player_loop, player_controls } =
    channel
  return {
    ...(player_color ? { accent: player_color } : {}),
    ...(player_logo_url ? { logo: player_logo_url } : {}),
    ...(player_autoplay ? { autoplay: true } : {}),
    ...(player_muted ? { muted: true } : {}),
    ...(player_loop ? { loop: true } : {}),
    ...(player_controls ? {} : { controls: false }),
    ...(color ? { accent: color } : {}),
    ...parameters,
  }
}

import { advertisingOf } from './ad-schedule.js'
import { beaconAddress, statusAddress } from './addresses.js'
import type { Asked } from './caller.js'
import type { PlayerOptions } from './embed-page.js'
import { outputsOf, playableIn } from './files.js'
import { storyboardOf } from './pictures.js'
import type { Playback } from './playback.js'
import { posterOf } from './videos.js'
import type { Wishes } from './wishes.js'

/** The options of the player on a page. */
export async function playerOptions(
  playback: Playback,
  asked: Asked,
  { audio, ...wishes }: Wishes,
): Promise<PlayerOptions> {
  const { seen, video, isCounted } = asked
  const { record, source } = video
  const advertising = await advertisingOf(playback, asked)
  return {
    videoId: record._id,
    title: record.title,
    ...playableIn(outputsOf(playback, seen, video, audio)),
    poster: posterOf(record),
    storyboard: audio ? undefined : await storyboardOf(playback, source),
    statusUrl: statusAddress(playback, seen, record._id),
    beacon: isCounted ? beaconAddress(playback, seen, record._id) : undefined,
    ads: advertising?.schedule,
    adsEvery: advertising?.interval_count,
    adsScope: advertising?.scope,
    ...wishes,
  }
}

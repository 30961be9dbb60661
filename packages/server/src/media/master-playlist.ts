import { languageName } from '../lib/language.js'
import type { AudioPlan } from './audio-plan.js'
import { type BitRates, sumRates } from './bit-rates.js'
import { toNumber } from './fraction.js'
import type { Grid } from './grid.js'
import type { Rung } from './ladder.js'
import { joinLines, quoted } from './playlists.js'

/** A rendition that has a playlist. */
export type Track =
  | { readonly kind: 'video' | 'keyFrames'; readonly rung: Rung }
  | { readonly kind: SoundGroup }
  | { readonly kind: 'subtitles'; readonly id: string }

/** The same audio in two channel layouts. */
type SoundGroup = 'audio' | 'surround'

export interface SubtitleRendition {
  readonly id: string
  /** BCP 47: en, pt-BR. */
  readonly language: string
  /** Shown in menus. */
  readonly name: string
  readonly isDefault?: boolean
  readonly isForced?: boolean
  /** The address of its playlist, if it differs from the others'. */
  readonly elsewhere?: string
}

export interface MasterPlaylist {
  readonly grid: Grid
  readonly rungs: readonly Rung[]
  readonly audio?: AudioPlan
  readonly surround?: AudioPlan
  /** The spoken language, in BCP 47. */
  readonly language?: string | undefined
  readonly subtitles?: readonly SubtitleRendition[]
  /** The measured rates of a rendition, and of a rung's key frames if they have a playlist. */
  readonly measured?: (track: Track) => BitRates | undefined
  /** The address of a rendition's playlist. */
  readonly address: (track: Track) => string
}

const header = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
const audioCodec = 'mp4a.40.2'

/** An audio group and its rates. */
interface Sound {
  readonly group: SoundGroup
  readonly plan: AudioPlan
  readonly rates: BitRates
}

/** The list of renditions, the best starting point first. */
export function masterPlaylist(request: MasterPlaylist): string {
  const { rungs, subtitles = [], address } = request
  const sounds = soundsOf(request)
  const media = [
    ...sounds.map((sound) => audioLine(sound, request)),
    ...subtitles.map((subtitle) => subtitleLine(subtitle, address)),
  ]
  const begun = startingWithMiddle(rungs, (rung) => ratesOf(request, rung).average)
  const pictures = (sounds.length > 0 ? sounds : [undefined]).flatMap((sound) =>
    begun.flatMap((rung) => [streamLine(request, rung, sound), address({ kind: 'video', rung })]),
  )
  // For connections too slow for video. Both groups list it: VLC shows no picture if only one does.
  const alone = sounds.flatMap((sound) => [
    streamInf([...bandwidths(sound.rates), `CODECS="${audioCodec}"`, ...groupsOf(request, sound)]),
    address({ kind: sound.group }),
  ])
  return joinLines([
    ...header,
    ...media,
    ...pictures,
    ...alone,
    ...rungs.flatMap((rung) => keyFrameLine(request, rung)),
  ])
}

function soundsOf({ audio, surround, measured }: MasterPlaylist): Sound[] {
  const plans = [['audio', audio] as const, ['surround', surround] as const]
  return plans.flatMap(([group, plan]) =>
    plan ? [{ group, plan, rates: measured?.({ kind: group }) ?? likelySound(plan) }] : [],
  )
}

/** A margin for rates that were not measured yet. */
const spare = 1.1
const likelySound = ({ bitrate }: AudioPlan): BitRates => ({ peak: bitrate * spare, average: bitrate })
const likelyPictures = ({ maxRate, averageRate }: Rung): BitRates => ({
  peak: maxRate * 1.2 * spare,
  average: averageRate,
})

const ratesOf = ({ measured }: MasterPlaylist, rung: Rung): BitRates =>
  measured?.({ kind: 'video', rung }) ?? likelyPictures(rung)

/** Players start with the first: one that most connections can carry. */
function startingWithMiddle(rungs: readonly Rung[], averageOf: (rung: Rung) => number): readonly Rung[] {
  const first = rungs.findLast((rung) => averageOf(rung) <= 1_200_000) ?? rungs[0]
  return first ? [first, ...rungs.filter((rung) => rung !== first)] : []
}

const attributes = (pairs: readonly string[]) => pairs.join(',')
const streamInf = (pairs: readonly string[]) => `#EXT-X-STREAM-INF:${attributes(pairs)}`
const bandwidths = ({ peak, average }: BitRates) => [
  `BANDWIDTH=${Math.ceil(peak)}`,
  `AVERAGE-BANDWIDTH=${Math.ceil(average)}`,
]
const resolution = ({ width, height }: Rung) => `RESOLUTION=${width}x${height}`

const groupsOf = ({ subtitles = [] }: MasterPlaylist, sound: Sound | undefined) => [
  ...(sound ? [`AUDIO="${sound.group}"`] : []),
  ...(subtitles.length > 0 ? ['SUBTITLES="subtitles"'] : []),
]

/**
 * Corresponding members of two groups may differ only in address and channels (RFC 8216, section 4.3.4.1.1).
 */
function audioLine({ group, plan }: Sound, { rungs, language, address }: MasterPlaylist): string {
  const name = (language && languageName(language)) || 'Audio'
  // Without video the stream itself is the audio, which a rendition without an address expresses.
  const place = rungs.length > 0 ? [`URI=${quoted(address({ kind: group }))}`] : []
  return `#EXT-X-MEDIA:${attributes([
    ...['TYPE=AUDIO', `GROUP-ID="${group}"`, `NAME=${quoted(name)}`],
    ...(language ? [`LANGUAGE=${quoted(language)}`] : []),
    ...['DEFAULT=YES', 'AUTOSELECT=YES', `CHANNELS="${plan.channels}"`, ...place],
  ])}`
}

function subtitleLine(
  { id, language, name, isDefault = false, isForced = false, elsewhere }: SubtitleRendition,
  address: MasterPlaylist['address'],
): string {
  return `#EXT-X-MEDIA:${attributes([
    ...['TYPE=SUBTITLES', 'GROUP-ID="subtitles"', `NAME=${quoted(name)}`, `LANGUAGE=${quoted(language)}`],
    ...[`DEFAULT=${yes(isDefault)}`, 'AUTOSELECT=YES', `FORCED=${yes(isForced)}`],
    `URI=${quoted(elsewhere ?? address({ kind: 'subtitles', id }))}`,
  ])}`
}

const yes = (value: boolean) => (value ? 'YES' : 'NO')

function streamLine(request: MasterPlaylist, rung: Rung, sound: Sound | undefined): string {
  const codecs = [rung.codecs, ...(sound ? [audioCodec] : [])].join()
  return streamInf([
    ...bandwidths(sumRates(ratesOf(request, rung), sound?.rates)),
    resolution(rung),
    `FRAME-RATE=${toNumber(request.grid.frameRate).toFixed(3)}`,
    `CODECS="${codecs}"`,
    ...groupsOf(request, sound),
  ])
}

/** Key frames only, for fast forward and for previews at the seek bar. */
function keyFrameLine({ measured, address }: MasterPlaylist, rung: Rung): string[] {
  const track = { kind: 'keyFrames', rung } as const
  const rates = measured?.(track)
  if (!rates) return []
  const about = [...bandwidths(rates), resolution(rung), `CODECS="${rung.codecs}"`]
  return [`#EXT-X-I-FRAME-STREAM-INF:${attributes([...about, `URI=${quoted(address(track))}`])}`]
}

import type { AudioPlan } from './audio-plan.js'
import { type BitRates, highestRates, sumRates } from './bit-rates.js'
import { toNumber } from './fraction.js'
import type { Grid } from './grid.js'
import type { Rung } from './ladder.js'
import { joinLines, quoted } from './playlists.js'

/** A rendition that has a playlist. */
export type Track =
  | { readonly kind: 'video' | 'keyFrames'; readonly rung: Rung }
  | { readonly kind: 'sound'; readonly name: string }
  | { readonly kind: 'subtitles'; readonly id: string }

/** The same audio tracks in two channel layouts. */
type SoundGroup = 'audio' | 'surround'

/** How an audio track is made, and the name of its rendition. */
export interface SoundTrack {
  readonly name: string
  readonly plan: AudioPlan
}

/** An audio track that viewers can choose. */
export interface SoundRendition {
  readonly stereo: SoundTrack
  readonly surround?: SoundTrack | undefined
  /** Shown in menus; unique. */
  readonly name: string
  /** BCP 47. */
  readonly language?: string | undefined
  readonly isDescription?: boolean
  /** Exactly one has it. */
  readonly isDefault: boolean
  /** Players may choose it by language without asking. */
  readonly isAutomatic: boolean
}

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
  readonly sounds?: readonly SoundRendition[]
  readonly subtitles?: readonly SubtitleRendition[]
  /** The measured rates of a rendition, and of a rung's key frames if they have a playlist. */
  readonly measured?: (track: Track) => BitRates | undefined
  /** The address of a rendition's playlist. */
  readonly address: (track: Track) => string
}

const header = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
const audioCodec = 'mp4a.40.2'

/** An audio group: its members, and the rates of the largest. */
interface Sound {
  readonly group: SoundGroup
  readonly members: readonly (SoundTrack & { readonly rendition: SoundRendition })[]
  readonly rates: BitRates
}

/** The list of renditions, the best starting point first. */
export function masterPlaylist(request: MasterPlaylist): string {
  const { rungs, subtitles = [], address } = request
  const sounds = soundsOf(request)
  const media = [
    ...sounds.flatMap((sound) => audioLines(sound, request)),
    ...subtitles.map((subtitle) => subtitleLine(subtitle, address)),
  ]
  const begun = startingWithMiddle(rungs, (rung) => ratesOf(request, rung).average)
  const pictures = (sounds.length > 0 ? sounds : [undefined]).flatMap((sound) =>
    begun.flatMap((rung) => [streamLine(request, rung, sound), address({ kind: 'video', rung })]),
  )
  // For connections too slow for video. Both groups list it: VLC shows no picture if only one does.
  const alone = sounds.flatMap((sound) => [
    streamInf([...bandwidths(sound.rates), `CODECS="${audioCodec}"`, ...groupsOf(request, sound)]),
    address({ kind: 'sound', name: defaultOf(sound) }),
  ])
  return joinLines([
    ...header,
    ...media,
    ...pictures,
    ...alone,
    ...rungs.flatMap((rung) => keyFrameLine(request, rung)),
  ])
}

/** Both groups must have the same members, so a track without surround sound is in both as it is. */
function soundsOf({ sounds = [], measured }: MasterPlaylist): Sound[] {
  const ratesOfSound = ({ name, plan }: SoundTrack) =>
    measured?.({ kind: 'sound', name }) ?? likelySound(plan)
  const groupOf = (group: SoundGroup, trackOf: (rendition: SoundRendition) => SoundTrack): Sound => {
    const members = sounds.map((rendition) => ({ ...trackOf(rendition), rendition }))
    return { group, members, rates: highestRates(members.map(ratesOfSound)) }
  }
  if (sounds.length === 0) return []
  const stereo = groupOf('audio', (rendition) => rendition.stereo)
  if (!sounds.some(({ surround }) => surround)) return [stereo]
  return [stereo, groupOf('surround', (rendition) => rendition.surround ?? rendition.stereo)]
}

const defaultOf = ({ members }: Sound) => members.find(({ rendition }) => rendition.isDefault)?.name ?? ''

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
const audioLines = (sound: Sound, { rungs, address }: MasterPlaylist): string[] =>
  sound.members.map(({ name, plan, rendition }) => {
    const { language, isDefault, isAutomatic, isDescription } = rendition
    // Without video the stream itself is the default audio, which a rendition without an address expresses.
    const isStream = rungs.length === 0 && isDefault
    return `#EXT-X-MEDIA:${attributes([
      ...['TYPE=AUDIO', `GROUP-ID="${sound.group}"`, `NAME=${quoted(rendition.name)}`],
      ...(language ? [`LANGUAGE=${quoted(language)}`] : []),
      ...[`DEFAULT=${yes(isDefault)}`, `AUTOSELECT=${yes(isAutomatic)}`],
      ...(isDescription ? ['CHARACTERISTICS="public.accessibility.describes-video"'] : []),
      ...[`CHANNELS="${plan.channels}"`],
      ...(isStream ? [] : [`URI=${quoted(address({ kind: 'sound', name }))}`]),
    ])}`
  })

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

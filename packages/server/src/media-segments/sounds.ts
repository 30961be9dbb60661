import { languageName } from '../lib/language.js'
import type { SoundRendition } from '../media/master-playlist.js'
import type { AudioFacts } from '../media/source-facts.js'
import { audioTrack, surroundTrack, type TrackName } from './segment-keys.js'
import type { SourcePlan } from './source-plan.js'

interface SoundDescription extends Pick<AudioFacts, 'language' | 'title' | 'kind'> {
  /** The name that the publisher chose. */
  readonly name?: string | undefined
}
type Unnamed = Pick<SoundRendition, 'stereo' | 'surround'> & SoundDescription

/** The audio tracks that viewers can choose, the default one first, each with a name of its own. */
export function soundRenditions(plan: SourcePlan): SoundRendition[] {
  const { audio, surround, others = [], facts, labels = {} } = plan
  const about = (track: TrackName, found: AudioFacts | undefined): SoundDescription => ({
    ...found,
    ...labels[track],
  })
  const main: Unnamed[] = audio
    ? [
        {
          ...about(audioTrack, facts.audio),
          stereo: { name: audioTrack, plan: audio },
          surround: surround && { name: surroundTrack, plan: surround },
        },
      ]
    : []
  const beside = others.map(
    (other): Unnamed => ({
      ...about(other.track, other.audio),
      stereo: { name: other.track, plan: other.plan },
    }),
  )
  const isMainHidden = labels[audioTrack]?.isHidden && beside.length > 0
  const sounds = isMainHidden ? beside : [...main, ...beside]
  const first = sounds.find(({ stereo }) => labels[stereo.name]?.isDefault) ?? sounds[0]
  return named(first ? [first, ...sounds.filter((sound) => sound !== first)] : [])
}

const kindWords = { description: 'audio description', commentary: 'commentary' } as const

/** The name of a track, by its language and kind unless the publisher chose one. */
function usualName({ name: chosen, language, title, kind }: SoundDescription): string {
  if (chosen) return chosen
  const name = (language && languageName(language)) || title || 'Audio'
  return kind && name !== title ? `${name} (${kindWords[kind]})` : name
}

function named(sounds: readonly Unnamed[]): SoundRendition[] {
  const names = new Set<string>()
  const automatic = new Set<string>()
  return sounds.map((sound, index) => {
    const { stereo, surround, language, kind } = sound
    const name = unusedName(sound, names)
    names.add(name)
    // A commentary must not replace the film's own sound. Of equal tracks, players can choose only one by themselves.
    const choice = `${language} ${kind}`
    const isAutomatic =
      index === 0 || (language !== undefined && kind !== 'commentary' && !automatic.has(choice))
    if (isAutomatic) automatic.add(choice)
    const about = {
      name,
      language,
      isDescription: kind === 'description',
      isDefault: index === 0,
      isAutomatic,
    }
    return { stereo, surround, ...about }
  })
}

function unusedName(sound: SoundDescription, names: ReadonlySet<string>): string {
  const usual = usualName(sound)
  const titled = sound.title && sound.title !== usual ? [`${usual} – ${sound.title}`] : []
  const candidates = [usual, ...titled]
  const free = candidates.find((name) => !names.has(name))
  if (free !== undefined) return free
  for (let number = 2; ; number += 1) {
    const numbered = `${usual} ${number}`
    if (!names.has(numbered)) return numbered
  }
}

import type { Db } from '../db/database.js'
import { type OtherSound, planAudio } from '../media/audio-plan.js'
import type { SourceFacts } from '../media/source-facts.js'
import { audioTrack, sourceKey, type TrackName } from './segment-keys.js'
import type { SoundLabel, Source, SourcePlan } from './source-plan.js'

/** What a publisher says about an audio track, and the file of an uploaded one. */
interface AudioTrackRow {
  readonly _id: string
  /** Its rendition in the film; null for an uploaded one. */
  readonly track: TrackName | null
  readonly language: string | null
  readonly title: string | null
  readonly kind: 'main' | 'description' | 'commentary'
  readonly is_default: boolean
  readonly active: boolean
  readonly file_id: string | null
  readonly facts: SourceFacts | null
}

/** The audio tracks of a video that can be played: those of this film, then the uploaded ones. */
export const readAudioTracks = (db: Db, { site_id, video_id, _id }: Source): Promise<AudioTrackRow[]> =>
  db<AudioTrackRow[]>`
    select _id, track, language, title, kind, "default" as is_default, active, file_id, facts from audio_tracks
    where site_id = ${site_id} and video_id = ${video_id} and status = 'ready'
      and (source_id is null or source_id = ${_id})
    order by file_id is not null, created_at, _id
  `

/** The rendition of an uploaded audio track. */
export const uploadedTrack = (_id: string): TrackName => `${audioTrack}_${_id}`

/** The source with its audio tracks as the publisher wants them: hidden ones left out, uploaded ones added. */
export function withAudioTracks(source: Source, rows: readonly AudioTrackRow[]): Source {
  if (rows.length === 0) return source
  const { plan } = source
  const labels = Object.fromEntries(rows.map((row) => [row.track ?? uploadedTrack(row._id), labelOf(row)]))
  const ofFilm = (plan.others ?? []).filter(({ track }) => !labels[track]?.isHidden)
  const uploaded = rows.filter(({ active }) => active).flatMap((row) => uploadedSound(plan, row))
  return { ...source, plan: { ...plan, others: [...ofFilm, ...uploaded], labels } }
}

const labelOf = ({ language, title, kind, is_default, active }: AudioTrackRow): SoundLabel => ({
  language: language ?? undefined,
  name: title ?? undefined,
  kind: kind === 'main' ? undefined : kind,
  isDefault: is_default,
  isHidden: !active,
})

/** Its plan follows from its file and the film: it is cut or padded to the length of the film. */
function uploadedSound(plan: SourcePlan, { _id, file_id, facts }: AudioTrackRow): OtherSound[] {
  if (file_id === null || !facts?.audio) return []
  const made = planAudio({ ...facts, duration: plan.facts.duration }, plan.grid)
  return made ? [{ track: uploadedTrack(_id), audio: facts.audio, plan: made, file: sourceKey(file_id) }] : []
}

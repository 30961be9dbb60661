import type { Video } from './records.js'

type Made = Pick<Video, 'data_sources' | 'renditions'>

/** The sources of a video, in any order. */
const filmsOf = ({ data_sources }: Made) =>
  data_sources
    .map(({ _id }) => _id)
    .sort()
    .join()

/**
 * A record from the server, with the progress that is already known. Records store progress only now and then, while
 * the event stream is up to date, so a saved record would make the progress bar go back.
 */
export function withKnownProgress<T extends Made>(known: Made | undefined, record: T): T {
  if (!known || filmsOf(known) !== filmsOf(record)) return record
  const renditions = record.renditions.map((rendition) => {
    const before = known.renditions.find(({ name }) => name === rendition.name)
    const hasFailed = before?.status === 'failed' || rendition.status === 'failed'
    const isAhead = before && (before.progress ?? 0) > (rendition.progress ?? 0)
    // After a failure, encoding may start over.
    return isAhead && !hasFailed ? before : rendition
  })
  return { ...record, renditions }
}

import type { Video } from './records.js'

type Made = Pick<Video, 'data_sources' | 'renditions'>

/** The films behind a video, in any order. */
const filmsOf = ({ data_sources }: Made) =>
  data_sources
    .map(({ _id }) => _id)
    .sort()
    .join()

/**
 * A record that the server sent, with the progress that is known already. Records note progress now and then only, while
 * the stream of events counts it: a record that was saved meanwhile would make it fall.
 */
export function withKnownProgress<T extends Made>(known: Made | undefined, record: T): T {
  if (!known || filmsOf(known) !== filmsOf(record)) return record
  const renditions = record.renditions.map((rendition) => {
    const before = known.renditions.find(({ name }) => name === rendition.name)
    const hasFailed = before?.status === 'failed' || rendition.status === 'failed'
    const isAhead = before && (before.progress ?? 0) > (rendition.progress ?? 0)
    // After a failure it may begin anew.
    return isAhead && !hasFailed ? before : rendition
  })
  return { ...record, renditions }
}

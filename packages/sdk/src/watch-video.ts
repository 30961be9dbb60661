interface Watched {
  readonly url: string
  readonly videoId: string
  /** The channel of the session: a browser sends no headers with these requests. */
  readonly channelId: string
}

const addressOf = ({ url, channelId }: Watched, path: string) =>
  `${url.replace(/\/+$/, '')}${path}?channel_id=${encodeURIComponent(channelId)}`

/** Where a page of the server's own origin shows a video, to somebody who is signed in to the dashboard. */
export const videoFrame = (watched: Watched): string =>
  addressOf(watched, `/embed/${encodeURIComponent(watched.videoId)}.html`)

/** Tells of a video that becomes ready: fields of its record, as they change. Returns what ends it. In browsers only. */
export function watchVideo(
  watched: Watched,
  onNews: (fields: Readonly<Record<string, unknown>>) => void,
): () => void {
  const stream = new EventSource(addressOf(watched, `/videos/${encodeURIComponent(watched.videoId)}/events`))
  const take = ({ data }: MessageEvent<string>) => onNews(JSON.parse(data))
  for (const name of ['status', 'progress', 'thumbnails', 'end']) stream.addEventListener(name, take)
  stream.addEventListener('end', () => stream.close())
  return () => stream.close()
}

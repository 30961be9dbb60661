/**
 * Follows a stream while a part of a page is shown. Returns the function that stops it, as `useEffect` expects. A stream that
 * the server refuses, such as after the end of a session, is not followed; other requests tell the user why.
 */
export function whileShown<T>(
  follow: (signal: AbortSignal) => AsyncIterable<T>,
  onNews: (news: T) => void,
): () => void {
  const leaving = new AbortController()
  const read = async () => {
    for await (const news of follow(leaving.signal)) if (!leaving.signal.aborted) onNews(news)
  }
  read().catch(() => undefined)
  return () => leaving.abort()
}

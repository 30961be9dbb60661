import { dateAndTime, fromNow } from './numbers.js'
import { useNow } from './use-now.js'

/** A relative time, such as 3 days ago. Its tooltip has the date. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {fromNow(at, now)}
    </time>
  )
}

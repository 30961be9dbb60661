import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FoundVideo, otherMatch } from '../../data/search-videos.js'
import { startSearch } from '../../ui/define-search.js'
import { MatchText } from '../../ui/match-text.js'
import { clock } from '../../ui/numbers.js'
import { strings } from './strings.js'
import classes from './videos.module.css'

interface FoundProps {
  readonly video: FoundVideo
}

/** The title, with the words of a search marked. */
export function FoundTitle({ video }: FoundProps) {
  const match = video.matches?.find(({ field }) => field === 'title')
  // A long title is cut around its first word, which is of no use where the whole title is shown.
  const isWhole = match && match.parts.map(({ text }) => text).join('') === video.title
  return isWhole ? <MatchText parts={match.parts} /> : video.title
}

/** Where else a search found its words: the field, or the line of a subtitle with its time. */
export function FoundAt({ video }: FoundProps) {
  if (!video.matches) return null
  const match = otherMatch(video)
  return (
    <Text component="div" size="xs" c="dimmed" lineClamp={2} className={classes.found}>
      {match && match.time === null && (
        <>
          {strings.matchFields[match.field]}: <MatchText parts={match.parts} />
        </>
      )}
      {match && match.time !== null && (
        <>
          <Anchor
            size="xs"
            component={Link}
            to={`/videos/${video._id}`}
            search={startSearch.to({ t: Math.floor(match.time) })}
            aria-label={strings.openAt(video.title, clock(match.time))}
          >
            {clock(match.time)}
          </Anchor>{' '}
          <MatchText parts={match.parts} />
        </>
      )}
    </Text>
  )
}

import type { SearchMatch } from '@zoetrope/sdk'
import classes from './match-text.module.css'

/** The text of a match, with the words of the search marked. The server sends plain text in pieces. */
export const MatchText = ({ parts }: Pick<SearchMatch, 'parts'>) =>
  parts.map(({ text, hit }, index) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other name, and do not move
      <mark key={index} className={classes.hit}>
        {text}
      </mark>
    ) : (
      text
    ),
  )

import { Anchor } from '@mantine/core'
import { Waiting } from '../ui/states.js'
import { strings } from './strings.js'

/** After a while: that it takes long, and what may help. */
const Late = () => (
  <p className="opening-late">
    {strings.late}{' '}
    <Anchor component="button" onClick={() => window.location.reload()}>
      {strings.loadAgain}
    </Anchor>
  </p>
)

/** Looks as the page does before this script is there, so that nothing jumps. */
export const Opening = () => (
  <main className="opening">
    <span className="opening-ring" role="status" aria-label={strings.starting} />
    <Late />
  </main>
)

/** Stands where a page will be whose file is on its way. */
export const OpeningPage = () => (
  <>
    <Waiting />
    <Late />
  </>
)

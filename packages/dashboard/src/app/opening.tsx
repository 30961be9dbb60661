import { Anchor } from '@mantine/core'
import { Waiting } from '../ui/states.js'
import { strings } from './strings.js'

/** Shown after a while: says that loading is slow, and offers a reload. */
const Late = () => (
  <p className="opening-late">
    {strings.late}{' '}
    <Anchor component="button" onClick={() => window.location.reload()}>
      {strings.loadAgain}
    </Anchor>
  </p>
)

/** Looks like the page before this script has loaded, so that nothing shifts. */
export const Opening = () => (
  <main className="opening">
    <span className="opening-ring" role="status" aria-label={strings.starting} />
    <Late />
  </main>
)

/** A placeholder for a page whose file is loading. */
export const OpeningPage = () => (
  <>
    <Waiting />
    <Late />
  </>
)
